-- The rows that sql/server/watch.sql has noted, in a temporary table of this connection.
SELECT kind, key FROM changed ORDER BY kind, key;
