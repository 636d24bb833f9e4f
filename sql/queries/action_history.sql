-- What scoring needs of every call, in the order they happened.
SELECT position, sequence_id, timestamp, tool, coalesce(app_name, ''), success, duration_ms, read_only, reward
FROM action_log
ORDER BY timestamp, position;
