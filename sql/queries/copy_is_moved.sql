-- 1 if the database has moved: sql/server/moved.sql made the trigger.
SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name = 'moved_event';
