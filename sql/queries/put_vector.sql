INSERT INTO node_vector (node, vector) VALUES (?1, ?2)
ON CONFLICT (node) DO UPDATE SET vector = excluded.vector;
