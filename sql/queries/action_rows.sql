-- Whole rows in the order they happened. NULL: no condition.
SELECT position, reward, id, agent_id, session_id, sequence_id, timestamp, tool, args, args_bytes, result,
       result_bytes, success, failure, duration_ms, coalesce(app_name, ''), trace_parent, read_only,
       request_id, protocol_version, transport, mcp_session_id, server_address
FROM action_log
WHERE (?1 IS NULL OR timestamp >= ?1) AND (?2 IS NULL OR sequence_id = ?2)
  AND (?3 IS NULL OR session_id = ?3)
ORDER BY timestamp, position;
