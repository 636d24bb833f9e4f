-- The database of hebb. `event` is the only truth; every table under "The mirror" is made from its
-- fold and can be thrown away (`hebb rebuild`). Times are epoch milliseconds, UTC.
-- Tables use integer keys, views text ids. docs/schema.md is made from the comments beside columns and, of a view,
-- from its lines "-- COLUMN: …"; the program has this file without comments.

-- The ledger ------------------------------------------------------------------------------------
CREATE TABLE event (
  position INTEGER PRIMARY KEY,              -- order of arrival, from 1, without gaps
  at       INTEGER NOT NULL,                 -- when it happened
  kind     TEXT    NOT NULL,                 -- the kind of event, see below
  subject  TEXT    NOT NULL,                 -- id of the node that it is mostly about
  key      TEXT    NOT NULL UNIQUE,          -- used once for ever, so that an event counts once; events are applied
                                             -- in the order of (`at`, `key`)
  payload  TEXT    NOT NULL,                 -- JSON, see below
  vector   BLOB,                             -- the vector that a `node` event carries, little-endian 32-bit floats;
                                             -- NULL: none
  checksum INTEGER NOT NULL DEFAULT 0        -- XXH3, 64 bits, of the checksum of the row before and of the other
                                             -- columns of this row
) STRICT;
CREATE INDEX event_subject ON event (subject, at);
CREATE INDEX event_wide ON event (kind, at, key) WHERE kind IN ('pivot', 'recalibrate', 'policy', 'undo', 'gc');

-- The mirror ------------------------------------------------------------------------------------
CREATE TABLE mirror (
  name  TEXT PRIMARY KEY,                    -- `rules`: the version of the rules by which the tables were made;
                                             -- `position`: the last event in them; `claims`: how many claims there
                                             -- were; of the copy of a server, `copy`: its id, `change` and
                                             -- `change_of_nodes`: the last changes of rows beside the ledger
  value ANY NOT NULL                         -- the value of that name
) STRICT, WITHOUT ROWID;

CREATE TABLE node (
  key          INTEGER PRIMARY KEY,          -- number of the node in this database; a rebuild may assign others
  id           TEXT NOT NULL UNIQUE,         -- the id, unique
  type         TEXT NOT NULL DEFAULT '',     -- the type; empty: none
  state        TEXT NOT NULL DEFAULT '',     -- the state; empty: none, so it is no task
  name         TEXT NOT NULL DEFAULT '',     -- the name; empty: none
  description  TEXT NOT NULL DEFAULT '',     -- the description; empty: none
  project      TEXT NOT NULL DEFAULT '',     -- the project; empty: none
  scope        TEXT NOT NULL DEFAULT '',     -- the scope; empty: none
  properties   TEXT NOT NULL DEFAULT '{}',   -- JSON object
  created_at   INTEGER,                      -- when it was created; NULL: it is not there
  updated_at   INTEGER,                      -- when it was last written, or its state set
  reopened_at  INTEGER,                      -- when it was last reopened; NULL: never
  outcome_at   INTEGER,                      -- when it last had a success or partial outcome; NULL: never
  completed_at INTEGER,                      -- when it last succeeded; NULL: never
  deleted_at   INTEGER,                      -- when it was deleted; NULL: it is not
  successes    REAL NOT NULL DEFAULT 0,      -- its own successes as evidence, as of `tried_at`
  failures     REAL NOT NULL DEFAULT 0,      -- its own failures as evidence, as of `tried_at`
  tried_at     INTEGER,                      -- when it last had a success or failure; NULL: never
  priority     INTEGER,                      -- set by people: 0 (most urgent) to 4, not the computed priority; NULL:
                                             -- not set
  due_at       INTEGER,                      -- set by people: when it is due; NULL: not set
  snoozed_until INTEGER,                     -- set by people: not ranked before this time; NULL: not set
  pinned       INTEGER NOT NULL DEFAULT 0,   -- set by people: 1 if it stands above all that are not pinned; else 0
  failed       INTEGER NOT NULL DEFAULT 0,   -- how many failures it had, without undone ones
  estimate     INTEGER,                      -- set by people: how long it takes, in milliseconds; NULL: not set
  failing      INTEGER NOT NULL DEFAULT 0,   -- how many failures since its last success, or since its state was set
  duration_ms  INTEGER                       -- how long it took, in milliseconds: its last success that says so, before its
                                             -- first success its last failure that does; NULL: not known
) STRICT;
CREATE INDEX node_open ON node (state) WHERE state = 'OPEN';

CREATE TABLE edge_type (
  key              INTEGER PRIMARY KEY,      -- number of the type in this database; a rebuild may assign others
  name             TEXT NOT NULL UNIQUE,     -- the name of the type
  decay_per_day    REAL NOT NULL,            -- what a weight is multiplied by each day
  floor            REAL NOT NULL,            -- decay stops at this weight
  dormant_below    REAL NOT NULL,            -- weaker edges do not count until they are reinforced
  rate             REAL NOT NULL,            -- weight that a reinforcement of 1 adds
  cap              REAL NOT NULL,            -- the largest weight
  max_gain_per_day REAL,                     -- the most that reinforcement adds in a UTC day; NULL: no limit
  protected        INTEGER NOT NULL,         -- 1: never decays, never dormant; else 0
  structural       INTEGER NOT NULL,         -- 1: its edges count as links of their target; else 0
  context          INTEGER NOT NULL          -- 1: its targets are labels of their source; else 0
) STRICT;

CREATE TABLE edge (
  source     INTEGER NOT NULL REFERENCES node (key), -- key of the node it comes from
  target     INTEGER NOT NULL REFERENCES node (key), -- key of the node it leads to
  type       INTEGER NOT NULL REFERENCES edge_type (key), -- key of its type
  weight     REAL    NOT NULL,               -- the weight when it was last updated; `edge_now` has the present one
  touched_at INTEGER NOT NULL,               -- when it was last updated
  gained     REAL    NOT NULL DEFAULT 0,     -- what reinforcement added on the UTC day of `touched_at`
  properties TEXT    NOT NULL DEFAULT '{}',  -- JSON object
  PRIMARY KEY (source, target, type)
) STRICT, WITHOUT ROWID;
CREATE INDEX edge_target ON edge (target, type);

-- The ranking in one row, which is written with each event.
CREATE TABLE ranking (
  one        INTEGER PRIMARY KEY CHECK (one = 1), -- 1
  at         INTEGER NOT NULL,               -- the time that the priorities are for
  candidates INTEGER NOT NULL,               -- how many tasks can be done now, with those that are not in `tasks`
  largest    REAL    NOT NULL,               -- the largest priority
  tasks      TEXT    NOT NULL                -- JSON, best first: [id, priority], or [id, priority, 1] for a pinned
                                             -- task
) STRICT;

-- Claims that no outcome and no release has ended, expired ones included.
CREATE TABLE claim (
  task       TEXT PRIMARY KEY,               -- id of the task
  token      INTEGER NOT NULL,               -- the position of the event that made the claim
  agent      TEXT    NOT NULL,               -- who claimed it
  claimed_at INTEGER NOT NULL,               -- when it was claimed
  expires_at INTEGER NOT NULL,               -- until when it holds
  expiries   INTEGER NOT NULL,               -- how many claims of the task just before this one expired in a row
  failure    INTEGER NOT NULL                -- not used any more: 1 for a claim of hebb 0.3 whose expiry was to be a
                                             -- failure of the task; else 0
) STRICT, WITHOUT ROWID;

CREATE TABLE policy (
  key   TEXT PRIMARY KEY,                    -- the key of a setting
  value TEXT NOT NULL                        -- its value, as text
) STRICT, WITHOUT ROWID;

-- Beside the ledger -----------------------------------------------------------------------------
CREATE TABLE dead_letter (
  id     INTEGER PRIMARY KEY,                -- for `hebb dead-letters retry` and `drop`
  at     INTEGER NOT NULL,                   -- when it was refused
  format TEXT    NOT NULL,                   -- the format of the input, so that it can be read again; `on-outcome`:
                                             -- an outcome for which that command has not succeeded yet
  reason TEXT    NOT NULL,                   -- the code of the refusal
  detail TEXT    NOT NULL,                   -- what is wrong, where in the item, and what is allowed
  file   TEXT    NOT NULL,                   -- the input it stood in
  line   INTEGER NOT NULL,                   -- its line there; with `on-outcome` the position of the event
  text   BLOB    NOT NULL,                   -- the item as it came, secrets masked; of an item longer than 1 MiB its
                                             -- first 64 KiB
  bytes  INTEGER,                            -- the length of an item longer than 1 MiB, which cannot be retried; else
                                             -- NULL
  hash   TEXT                                -- XXH3-128 of such an item, as `xxh128sum` prints it; else NULL
) STRICT;
CREATE INDEX dead_letter_place ON dead_letter (file, line);

-- How often a node was asked for. Not in the ledger nor in `node`, because counting changes no content.
CREATE TABLE recall (
  node             INTEGER PRIMARY KEY REFERENCES node (key) ON DELETE CASCADE, -- key of the node
  recall_count     INTEGER NOT NULL,         -- how often it was accessed
  last_recalled_at INTEGER NOT NULL          -- when it was last accessed
) STRICT;
CREATE INDEX recall_count ON recall (recall_count DESC, last_recalled_at DESC);

-- On which day a search last counted for a node, so that it counts once a day however often it is made.
CREATE TABLE recall_search (
  node   INTEGER NOT NULL REFERENCES node (key) ON DELETE CASCADE, -- key of the node
  search INTEGER NOT NULL,                   -- hash of the words of the search
  day    INTEGER NOT NULL,                   -- the day, counted from 1970, UTC
  PRIMARY KEY (node, search)
) STRICT, WITHOUT ROWID;
CREATE INDEX recall_search_day ON recall_search (day);

-- Full-text index of nodes for `hebb search`, with hebb's own tokenizer (sql/search_tokenizer.h). It stores only
-- the index and no text. Triggers update it when one of its three columns changes, so a state, a time or a recall never rewrites it.
CREATE VIRTUAL TABLE node_search USING fts5 (
  -- id: the id of the node
  -- name: its name
  -- description: its description
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
  position         INTEGER PRIMARY KEY AUTOINCREMENT, -- order of arrival; never used again
  id               TEXT    NOT NULL UNIQUE,     -- UUIDv7 of the time of the call
  agent_id         TEXT    NOT NULL,            -- the agent as given to `hebb record`, or one made for that run
  session_id       TEXT    NOT NULL,            -- the session as the call names it (`sessionId` or `session_id` in
                                                -- its arguments or `_meta`), else as given to `hebb record`, else one
                                                -- made for that run
  sequence_id      TEXT    NOT NULL,            -- the turn: calls in flight at the same time share it
  timestamp        INTEGER NOT NULL,            -- when the call was made
  tool             TEXT    NOT NULL,            -- the name of the tool
  success          INTEGER NOT NULL,            -- 1: a result without `isError`; else 0
  failure          TEXT,                        -- why it failed; NULL: it did not
  duration_ms      REAL    NOT NULL,            -- how long the call took, in milliseconds
  app_name         TEXT,                        -- the name that the server gives itself; NULL: none
  reward           REAL,                        -- the score, once `hebb actions score` was run; NULL: not scored
  trace_parent     TEXT,                        -- the W3C trace context of the call; NULL: none
  read_only        INTEGER,                     -- the `readOnlyHint` of the tool; NULL: the server did not say
  request_id       TEXT,                        -- the JSON-RPC id of the request, as text
  protocol_version TEXT,                        -- the version of MCP; NULL: unknown
  transport        TEXT    NOT NULL DEFAULT 'stdio', -- `stdio` or `http`
  mcp_session_id   TEXT,                        -- the session of the protocol (`Mcp-Session-Id`); NULL: none
  server_address   TEXT,                        -- host and port of an HTTP server; NULL: the server is a process
  args_bytes       INTEGER NOT NULL,            -- the length of the arguments; more than `args` has where these were
                                                -- cut at 64 KiB
  result_bytes     INTEGER NOT NULL DEFAULT 0,  -- the length of the result; more than `result` has where it was cut
                                                -- at 64 KiB
  args             TEXT    NOT NULL,            -- the arguments, JSON, secrets masked
  result           TEXT                         -- the result, JSON, secrets masked; NULL: none
) STRICT;
CREATE INDEX action_log_sequence ON action_log (sequence_id);
CREATE INDEX action_log_session ON action_log (session_id);
CREATE INDEX action_log_timestamp ON action_log (timestamp);

-- Views: what others read -----------------------------------------------------------------------
CREATE VIEW edge_now AS
  -- source: id of the node it comes from
  -- target: id of the node it leads to
  -- type: name of its type
  -- weight: the weight at the moment of the query
  -- stored_weight: the weight when it was last updated
  -- touched_at: when it was last updated
  -- dormant: 1: too weak to count until it is reinforced; else 0
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
  -- rank: 1 is first
  -- id: the task
  -- name: its name
  -- priority: the priority; only ratios mean anything
  -- relative: the priority divided by the largest, which the first task has unless tasks are pinned
  -- pinned: 1: above all that are not pinned, whatever its priority; else 0
SELECT t.key + 1 AS rank, n.id AS id, n.name AS name, json_extract(t.value, '$[1]') AS priority,
       CASE WHEN r.largest > 0 THEN json_extract(t.value, '$[1]') / r.largest ELSE 0.0 END AS relative,
       coalesce(json_extract(t.value, '$[2]'), 0) AS pinned
FROM ranking r CROSS JOIN json_each(r.tasks) t CROSS JOIN node n ON n.id = json_extract(t.value, '$[0]');

CREATE VIEW outcome AS
  -- id: the id that the sender gave it; NULL: none
  -- task: id of the task
  -- outcome: `success`, `partial` or `failure`
  -- score: of a success: how good it was, above 0 and at most 1; of others without meaning
  -- at: when it happened
  -- agent: the `agentId` of the outcome; NULL: none
SELECT json_extract(payload, '$.input.id') AS id, subject AS task,
       json_extract(payload, '$.outcome') AS outcome, json_extract(payload, '$.score') AS score,
       at, json_extract(payload, '$.input.agentId') AS agent
FROM event WHERE kind = 'outcome' AND json_valid(payload);
