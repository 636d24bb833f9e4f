-- The payload of an outcome begins with its result, so its first 24 characters suffice.
SELECT position, at, kind, substr(payload, 1, 24) FROM event
WHERE subject = ?1 AND kind IN ('outcome', 'node') ORDER BY at, key;
