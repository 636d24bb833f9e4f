-- The tail of the ledger, in order of arrival.
SELECT position, at, kind, subject, key, payload, vector FROM event WHERE position > ?1 ORDER BY position;
