SELECT position, id, agent_id, session_id, sequence_id, timestamp, tool, success, failure, duration_ms, app_name,
       reward, trace_parent, read_only, request_id, protocol_version, transport, mcp_session_id, server_address,
       args_bytes, result_bytes, args, result
FROM action_log WHERE position = json_extract(?1, '$[0]');
