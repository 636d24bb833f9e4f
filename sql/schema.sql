-- The database of hebb. `event` is the only truth; every table under "The mirror" is made from its
-- fold and can be thrown away (`hebb rebuild`). Times are epoch milliseconds, UTC.
-- Tables use integer keys, views text ids. What each column means: docs/schema.md.

-- The ledger ------------------------------------------------------------------------------------
CREATE TABLE event (
  position INTEGER PRIMARY KEY,          -- order of arrival, from 1, without gaps
  at       INTEGER NOT NULL,             -- when it happened; the fold's order is (at, key)
  kind     TEXT    NOT NULL,
  subject  TEXT    NOT NULL,             -- the node that it is about
  key      TEXT    NOT NULL UNIQUE,      -- an event with a used key is not added
  payload  TEXT    NOT NULL,             -- JSON: all that the fold needs
  vector   BLOB,                         -- little-endian float32, of node events
  checksum INTEGER NOT NULL DEFAULT 0    -- of this row and the one before: sql/ledger_chain.h
) STRICT;
CREATE INDEX event_subject ON event (subject, at);
CREATE INDEX event_wide ON event (kind, at, key) WHERE kind IN ('pivot', 'recalibrate', 'policy', 'undo', 'gc');

-- The mirror ------------------------------------------------------------------------------------
CREATE TABLE mirror (
  name  TEXT PRIMARY KEY,                -- rules, position, image, claims
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE node (
  key          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  type         TEXT NOT NULL DEFAULT '',
  state        TEXT NOT NULL DEFAULT '',
  name         TEXT NOT NULL DEFAULT '',
  description  TEXT NOT NULL DEFAULT '',
  project      TEXT NOT NULL DEFAULT '',
  scope        TEXT NOT NULL DEFAULT '',
  properties   TEXT NOT NULL DEFAULT '{}',
  created_at   INTEGER,
  updated_at   INTEGER,
  reopened_at  INTEGER,
  outcome_at   INTEGER,
  completed_at INTEGER,
  deleted_at   INTEGER,
  successes    REAL NOT NULL DEFAULT 0,  -- its own outcomes as evidence, as of tried_at
  failures     REAL NOT NULL DEFAULT 0,
  tried_at     INTEGER,                  -- last success or failure
  priority     INTEGER,                  -- what people say: 0 (most urgent) to 4
  due_at       INTEGER,
  snoozed_until INTEGER,
  pinned       INTEGER NOT NULL DEFAULT 0,
  failed       INTEGER NOT NULL DEFAULT 0, -- how many failures there were
  estimate     INTEGER,                  -- what people say: how long it takes, in milliseconds
  failing      INTEGER NOT NULL DEFAULT 0 -- failures since the last success or state that was set
) STRICT;
CREATE INDEX node_open ON node (state) WHERE state = 'OPEN';

CREATE TABLE node_vector (
  node   INTEGER PRIMARY KEY REFERENCES node (key) ON DELETE CASCADE,
  vector BLOB NOT NULL                   -- little-endian float32
) STRICT;

CREATE TABLE edge_type (
  key              INTEGER PRIMARY KEY,
  name             TEXT NOT NULL UNIQUE,
  decay_per_day    REAL NOT NULL,
  floor            REAL NOT NULL,
  dormant_below    REAL NOT NULL,
  rate             REAL NOT NULL,
  cap              REAL NOT NULL,
  max_gain_per_day REAL,                 -- NULL: no limit
  protected        INTEGER NOT NULL,
  structural       INTEGER NOT NULL,
  context          INTEGER NOT NULL
) STRICT;

CREATE TABLE edge (
  source     INTEGER NOT NULL REFERENCES node (key),
  target     INTEGER NOT NULL REFERENCES node (key),
  type       INTEGER NOT NULL REFERENCES edge_type (key),
  weight     REAL    NOT NULL,           -- as of touched_at
  touched_at INTEGER NOT NULL,
  gained     REAL    NOT NULL DEFAULT 0, -- reinforcement on the UTC day of touched_at
  properties TEXT    NOT NULL DEFAULT '{}',
  PRIMARY KEY (source, target, type)
) STRICT, WITHOUT ROWID;
CREATE INDEX edge_target ON edge (target, type);

-- The ranking in one row, which is written with each event.
CREATE TABLE ranking (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  at         INTEGER NOT NULL,           -- the time that it is of
  candidates INTEGER NOT NULL,           -- how many tasks are ranked, with those that are not in `tasks`
  largest    REAL    NOT NULL,           -- of the priorities
  tasks      TEXT    NOT NULL            -- JSON, best first: [id, priority], or [id, priority, 1] if it is pinned
) STRICT;

-- Claims that no outcome and no release has ended, expired ones included.
CREATE TABLE claim (
  task       TEXT PRIMARY KEY,
  token      INTEGER NOT NULL,           -- the position of its event
  agent      TEXT    NOT NULL,
  claimed_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  expiries   INTEGER NOT NULL,           -- claims of this task before it that expired in a row
  failure    INTEGER NOT NULL            -- 1: its expiry is a failure of the task
) STRICT, WITHOUT ROWID;

CREATE TABLE policy (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Beside the ledger -----------------------------------------------------------------------------
CREATE TABLE dead_letter (
  id     INTEGER PRIMARY KEY,
  at     INTEGER NOT NULL,
  format TEXT    NOT NULL,               -- how to read it again
  reason TEXT    NOT NULL,
  detail TEXT    NOT NULL,
  file   TEXT    NOT NULL,
  line   INTEGER NOT NULL,
  text   BLOB    NOT NULL,               -- verbatim
  bytes  INTEGER,                        -- of an item too long to be kept: its length in bytes,
  hash   TEXT                            -- and its XXH3-128; `text` is its beginning
) STRICT;
CREATE INDEX dead_letter_place ON dead_letter (file, line);

-- How far an input was read, if the reading was cut short, so that the same command goes on from there.
CREATE TABLE progress (
  content TEXT    NOT NULL,              -- hash of its bytes, and the format
  reader  TEXT    NOT NULL,              -- which of those who read it, by a number
  items   INTEGER NOT NULL,              -- events that are done, in the order of (at, key)
  at      INTEGER NOT NULL,              -- when it was first read: the time of items without one
  PRIMARY KEY (content, reader)
) STRICT, WITHOUT ROWID;

-- How often a node was asked for. Not in the ledger nor in `node`, because counting changes no content.
CREATE TABLE recall (
  node             INTEGER PRIMARY KEY REFERENCES node (key) ON DELETE CASCADE,
  recall_count     INTEGER NOT NULL,
  last_recalled_at INTEGER NOT NULL
) STRICT;
CREATE INDEX recall_count ON recall (recall_count DESC, last_recalled_at DESC);

-- On which day a search last counted for a node, so that it counts once a day however often it is made.
CREATE TABLE recall_search (
  node   INTEGER NOT NULL REFERENCES node (key) ON DELETE CASCADE,
  search INTEGER NOT NULL,               -- hash of its words
  day    INTEGER NOT NULL,               -- since 1970, UTC
  PRIMARY KEY (node, search)
) STRICT, WITHOUT ROWID;
CREATE INDEX recall_search_day ON recall_search (day);

-- Full-text index of nodes for `hebb search`, with hebb's own tokenizer (sql/search_tokenizer.h). It stores only
-- the index and no text. Triggers update it when one of its three columns changes, so a state, a time or a recall never rewrites it.
CREATE VIRTUAL TABLE node_search USING fts5 (
  id, name, description,
  content = 'node', content_rowid = 'key', tokenize = 'hebb_words'
);
CREATE TRIGGER node_search_insert AFTER INSERT ON node BEGIN
  INSERT INTO node_search (rowid, id, name, description)
  VALUES (new.key, new.id, new.name, new.description);
END;
CREATE TRIGGER node_search_delete AFTER DELETE ON node BEGIN
  INSERT INTO node_search (node_search, rowid, id, name, description)
  VALUES ('delete', old.key, old.id, old.name, old.description);
END;
CREATE TRIGGER node_search_update AFTER UPDATE OF id, name, description ON node
WHEN old.id <> new.id OR old.name <> new.name OR old.description <> new.description BEGIN
  INSERT INTO node_search (node_search, rowid, id, name, description)
  VALUES ('delete', old.key, old.id, old.name, old.description);
  INSERT INTO node_search (rowid, id, name, description)
  VALUES (new.key, new.id, new.name, new.description);
END;

-- What an agent did: one row for each tools/call (hebb record). Long columns come last, so that the
-- others can be read without them.
CREATE TABLE action_log (
  position         INTEGER PRIMARY KEY AUTOINCREMENT,  -- order of arrival; never used again
  id               TEXT    NOT NULL UNIQUE,            -- UUIDv7 of the call's time
  agent_id         TEXT    NOT NULL,
  session_id       TEXT    NOT NULL,
  sequence_id      TEXT    NOT NULL,     -- calls in flight together share it: a turn
  timestamp        INTEGER NOT NULL,
  tool             TEXT    NOT NULL,
  success          INTEGER NOT NULL,     -- 1 only for a result without isError
  failure          TEXT,                 -- why not, else NULL
  duration_ms      REAL    NOT NULL,
  app_name         TEXT,                 -- NULL: the server did not say
  reward           REAL,                 -- filled by `hebb actions score`
  trace_parent     TEXT,
  read_only        INTEGER,              -- the tool's readOnlyHint; NULL: the server did not say
  request_id       TEXT,                 -- the request's JSON-RPC id, as text
  protocol_version TEXT,                 -- of MCP; NULL: not known
  transport        TEXT    NOT NULL DEFAULT 'stdio',   -- or http
  mcp_session_id   TEXT,                 -- the protocol's own session id; NULL: none
  server_address   TEXT,                 -- host:port; NULL: the server is a process
  args_bytes       INTEGER NOT NULL,
  result_bytes     INTEGER NOT NULL DEFAULT 0,
  args             TEXT    NOT NULL,     -- JSON, masked; cut where args_bytes is larger
  result           TEXT
) STRICT;
CREATE INDEX action_log_sequence ON action_log (sequence_id);
CREATE INDEX action_log_session ON action_log (session_id);
CREATE INDEX action_log_timestamp ON action_log (timestamp);

-- Views: what others read -----------------------------------------------------------------------
CREATE VIEW edge_now AS
SELECT source, target, type, weight, stored_weight, touched_at,
       protected = 0 AND weight < dormant_below AS dormant
FROM (SELECT s.id AS source, t.id AS target, y.name AS type,
             CASE WHEN y.protected THEN e.weight
                  ELSE max(e.weight * pow(y.decay_per_day, max(0.0,
                             ((julianday('now') - 2440587.5) * 86400000.0 - e.touched_at) / 86400000.0)),
                           min(e.weight, y.floor))
             END AS weight,
             e.weight AS stored_weight, e.touched_at AS touched_at,
             y.protected AS protected, y.dormant_below AS dormant_below
      FROM edge e
      JOIN node s ON s.key = e.source
      JOIN node t ON t.key = e.target
      JOIN edge_type y ON y.key = e.type);

CREATE VIEW golden_path AS
SELECT t.key + 1 AS rank, n.id AS id, n.name AS name, json_extract(t.value, '$[1]') AS priority,
       CASE WHEN r.largest > 0 THEN json_extract(t.value, '$[1]') / r.largest ELSE 0.0 END AS relative,
       coalesce(json_extract(t.value, '$[2]'), 0) AS pinned
FROM ranking r CROSS JOIN json_each(r.tasks) t CROSS JOIN node n ON n.id = json_extract(t.value, '$[0]');

CREATE VIEW outcome AS
SELECT json_extract(payload, '$.input.id') AS id, subject AS task,
       json_extract(payload, '$.outcome') AS outcome, json_extract(payload, '$.score') AS score,
       at, json_extract(payload, '$.input.agentId') AS agent
FROM event WHERE kind = 'outcome' AND json_valid(payload);
