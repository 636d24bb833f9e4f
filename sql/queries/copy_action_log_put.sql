INSERT OR REPLACE INTO action_log
      (position, id, agent_id, session_id, sequence_id, timestamp, tool, success, failure, duration_ms, app_name,
       reward, trace_parent, read_only, request_id, protocol_version, transport, mcp_session_id, server_address,
       args_bytes, result_bytes, args, result)
VALUES (?1, CAST(?2 AS TEXT), CAST(?3 AS TEXT), CAST(?4 AS TEXT), CAST(?5 AS TEXT), ?6, CAST(?7 AS TEXT), ?8,
        CAST(?9 AS TEXT), ?10, CAST(?11 AS TEXT), ?12, CAST(?13 AS TEXT), ?14, CAST(?15 AS TEXT),
        CAST(?16 AS TEXT), CAST(?17 AS TEXT), CAST(?18 AS TEXT), CAST(?19 AS TEXT), ?20, ?21,
        CAST(?22 AS TEXT), CAST(?23 AS TEXT));
