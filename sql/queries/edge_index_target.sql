SELECT target, type, source FROM edge INDEXED BY edge_target ORDER BY target, type, source;
