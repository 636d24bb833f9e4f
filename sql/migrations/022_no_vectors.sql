-- The vectors of nodes a second time: the graph and its cache have them, and only a check read these.
-- With them goes the fingerprint of the graph cache.
DROP TABLE IF EXISTS node_vector;
DELETE FROM mirror WHERE name = 'image';
