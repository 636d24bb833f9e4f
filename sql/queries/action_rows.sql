-- Whole rows in the order they happened. NULL: no condition.
SELECT id, agent_id, session_id, sequence_id, timestamp, tool, args, args_bytes, result, result_bytes,
       success, failure, duration_ms, app_name, reward, trace_parent, read_only
FROM action_log
WHERE (?1 IS NULL OR timestamp >= ?1) AND (?2 IS NULL OR sequence_id = ?2)
  AND (?3 IS NULL OR session_id = ?3)
ORDER BY timestamp, id;
