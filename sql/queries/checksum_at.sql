-- The checksum of a row of the ledger, which depends on all rows up to there.
SELECT checksum FROM event WHERE position = ?1;
