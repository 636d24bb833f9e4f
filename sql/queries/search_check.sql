-- Fails where the search index is not that of the nodes' words.
INSERT INTO node_search (node_search, rank) VALUES ('integrity-check', 1);
