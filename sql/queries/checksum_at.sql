-- Of a row of the ledger: it depends on all rows up to there.
SELECT checksum FROM event WHERE position = ?1;
