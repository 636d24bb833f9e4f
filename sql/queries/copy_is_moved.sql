-- By sql/server/moved.sql.
SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name = 'moved_event';
