-- Everything the mirror holds of edges, by text ids: what verify compares.
SELECT s.id, t.id, y.name, e.weight, e.touched_at, e.gained, e.properties
FROM edge e JOIN node s ON s.key = e.source JOIN node t ON t.key = e.target
JOIN edge_type y ON y.key = e.type ORDER BY s.id, t.id, y.name;
