-- What scoring needs of every call, in the order they happened.
SELECT sequence_id, timestamp, tool, app_name, success, duration_ms, read_only, reward IS NULL, id
FROM action_log
ORDER BY timestamp, id;
