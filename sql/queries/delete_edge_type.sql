DELETE FROM edge_type WHERE key = ?1;
