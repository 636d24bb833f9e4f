-- Everything that happened up to a time, in the fold's order. Positions are put in order first, so that not all
-- payloads are held while they are sorted; the limit keeps the two steps apart.
SELECT e.position, e.at, e.kind, e.subject, e.key, e.payload, e.vector
FROM (SELECT position FROM event WHERE at <= ?1 ORDER BY at, key LIMIT -1) o CROSS JOIN event e ON e.position = o.position;
