SELECT key, name FROM edge_type ORDER BY key;
