-- As sql/server/watch.sql makes it.
SELECT json_array(?1, ?2);
