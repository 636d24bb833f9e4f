-- The id, where it has none yet, is a UUIDv7: the call's time and 74 random bits.
INSERT INTO action_log (id, agent_id, session_id, sequence_id, timestamp, tool, args, args_bytes, result,
                        result_bytes, success, failure, duration_ms, app_name, trace_parent, read_only,
                        request_id, protocol_version, transport, mcp_session_id, server_address)
VALUES (coalesce(nullif(?1, ''), printf('%08x-%04x-7%03x-%04x-%012x', (?5 >> 16) & 0xffffffff, ?5 & 0xffff,
                             random() & 0xfff, 0x8000 | (random() & 0x3fff), random() & 0xffffffffffff)),
        ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, nullif(?14, ''), ?15,
        ?16, ?17, ?18, ?19, ?20, ?21)
ON CONFLICT (id) DO NOTHING RETURNING id;
