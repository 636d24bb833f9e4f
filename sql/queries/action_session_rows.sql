-- The payloads of a session's calls in the order they were written, after the one given.
SELECT position, tool, args, args_bytes, result, result_bytes, failure
FROM action_log
WHERE session_id = ?1 AND position > ?2
ORDER BY position
LIMIT ?3;
