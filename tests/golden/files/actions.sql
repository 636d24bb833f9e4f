-- What a recorder would have left: a client that signs in, reads, and misses a button.
INSERT INTO action_log (id, agent_id, session_id, sequence_id, timestamp, tool, args, args_bytes, result,
  result_bytes, success, failure, duration_ms, app_name, trace_parent, read_only)
VALUES ((SELECT 'action-' || (coalesce(max(seq), 0) + 1) FROM sqlite_sequence), 'planner', 'demo', 'planner_look', 1766703600000, 'browser_navigate', '{"url":"http://localhost:8080/login"}', 37, '{"content":[]}', 14, 1, NULL, 120.5, 'browser', NULL, 1);
INSERT INTO action_log (id, agent_id, session_id, sequence_id, timestamp, tool, args, args_bytes, result,
  result_bytes, success, failure, duration_ms, app_name, trace_parent, read_only)
VALUES ((SELECT 'action-' || (coalesce(max(seq), 0) + 1) FROM sqlite_sequence), 'planner', 'demo', 'planner_sign', 1767567601000, 'browser_type', '{"target":"#name","text":"bob"}', 31, '{"content":[]}', 14, 1, NULL, 20, 'browser', NULL, 0);
INSERT INTO action_log (id, agent_id, session_id, sequence_id, timestamp, tool, args, args_bytes, result,
  result_bytes, success, failure, duration_ms, app_name, trace_parent, read_only)
VALUES ((SELECT 'action-' || (coalesce(max(seq), 0) + 1) FROM sqlite_sequence), 'planner', 'demo', 'planner_sign', 1767567601100, 'browser_click', '{"target":"#go","about":"task-1"}', 33, '{"content":[]}', 14, 1, NULL, 40, 'browser', NULL, 0);
INSERT INTO action_log (id, agent_id, session_id, sequence_id, timestamp, tool, args, args_bytes, result,
  result_bytes, success, failure, duration_ms, app_name, trace_parent, read_only)
VALUES ((SELECT 'action-' || (coalesce(max(seq), 0) + 1) FROM sqlite_sequence), 'planner', 'demo', 'planner_read', 1767567602000, 'browser_get_text', '{"selector":"#hello"}', 21, '{"content":[{"type":"text","text":"Hello bob"}]}', 48, 1, NULL, 5.25, 'browser', NULL, 1);
INSERT INTO action_log (id, agent_id, session_id, sequence_id, timestamp, tool, args, args_bytes, result,
  result_bytes, success, failure, duration_ms, app_name, trace_parent, read_only)
VALUES ((SELECT 'action-' || (coalesce(max(seq), 0) + 1) FROM sqlite_sequence), 'planner', 'demo', 'planner_fail', 1767567603000, 'browser_click', '{"target":"#gone"}', 18, '{"isError":true}', 16, 0, 'tool_error', 30000, 'browser', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 0);
