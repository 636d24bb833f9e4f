INSERT INTO node_search (node_search) VALUES ('rebuild');
