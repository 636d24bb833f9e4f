-- Where the ledger ends, and the checksum that the next row goes on from.
SELECT position, checksum FROM event ORDER BY position DESC LIMIT 1;
