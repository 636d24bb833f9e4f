-- Fails if the search index does not fit the nodes' words.
INSERT INTO node_search (node_search, rank) VALUES ('integrity-check', 1);
