INSERT INTO action_log (agent_id, session_id, sequence_id, timestamp, tool, args, args_bytes, result,
                        result_bytes, success, failure, duration_ms, app_name, trace_parent, read_only)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15);
