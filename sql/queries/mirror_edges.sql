-- Everything the mirror holds of edges.
SELECT source, target, type, weight, touched_at, gained, properties
FROM edge ORDER BY source, target, type;
