-- The ledger's last position, and the checksum that the next row's is computed from.
SELECT position, checksum FROM event ORDER BY position DESC LIMIT 1;
