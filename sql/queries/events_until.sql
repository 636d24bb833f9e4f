-- Everything that happened up to a time, in the fold's order.
SELECT position, at, kind, subject, key, payload, vector FROM event WHERE at <= ?1 ORDER BY at, key;
