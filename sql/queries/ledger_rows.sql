-- The ledger in order of arrival, each row with its checksum: see sql/ledger_chain.h.
SELECT position, at, kind, subject, key, payload, vector, checksum FROM event
WHERE position BETWEEN ?1 AND ?2 ORDER BY position;
