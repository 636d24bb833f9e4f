-- What sql/server/watch.sql noted; that table is of one connection.
SELECT kind, key FROM changed ORDER BY kind, key;
