-- Calls get ids that are never used again, the protocol's facts get columns, and a server whose
-- name is unknown has none. An old row's id is made of its time and its old number, so that ids are
-- in the order of the calls.
CREATE TABLE action_log_new (
  position         INTEGER PRIMARY KEY AUTOINCREMENT,
  id               TEXT    NOT NULL UNIQUE,
  agent_id         TEXT    NOT NULL,
  session_id       TEXT    NOT NULL,
  sequence_id      TEXT    NOT NULL,
  timestamp        INTEGER NOT NULL,
  tool             TEXT    NOT NULL,
  success          INTEGER NOT NULL,
  failure          TEXT,
  duration_ms      REAL    NOT NULL,
  app_name         TEXT,
  reward           REAL,
  trace_parent     TEXT,
  read_only        INTEGER,
  request_id       TEXT,
  protocol_version TEXT,
  transport        TEXT    NOT NULL DEFAULT 'stdio',
  mcp_session_id   TEXT,
  server_address   TEXT,
  args_bytes       INTEGER NOT NULL,
  result_bytes     INTEGER NOT NULL DEFAULT 0,
  args             TEXT    NOT NULL,
  result           TEXT
) STRICT;

INSERT INTO action_log_new (position, id, agent_id, session_id, sequence_id, timestamp, tool, success,
                            failure, duration_ms, app_name, reward, trace_parent, read_only, args_bytes,
                            result_bytes, args, result)
SELECT id,
       printf('%08x-%04x-7%03x-%04x-%04x%08x', (timestamp >> 16) & 0xffffffff, timestamp & 0xffff,
              (id >> 30) & 0xfff, 0x8000 | ((id >> 16) & 0x3fff), id & 0xffff, random() & 0xffffffff),
       agent_id, session_id, sequence_id, timestamp, tool, success, failure, duration_ms,
       nullif(app_name, ''), reward, trace_parent, read_only, args_bytes, result_bytes, args, result
FROM action_log ORDER BY id;
DROP TABLE action_log;
ALTER TABLE action_log_new RENAME TO action_log;
CREATE INDEX action_log_sequence ON action_log (sequence_id);
CREATE INDEX action_log_session ON action_log (session_id);
CREATE INDEX action_log_timestamp ON action_log (timestamp);
