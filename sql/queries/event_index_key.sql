SELECT key, position FROM event INDEXED BY sqlite_autoindex_event_1 ORDER BY key, position;
