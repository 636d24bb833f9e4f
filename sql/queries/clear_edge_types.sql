DELETE FROM edge_type;
