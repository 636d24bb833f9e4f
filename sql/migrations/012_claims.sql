-- Tasks that agents have claimed. No older database has any.
CREATE TABLE claim (
  task       TEXT PRIMARY KEY,
  token      INTEGER NOT NULL,           -- the position of its event
  agent      TEXT    NOT NULL,
  claimed_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  expiries   INTEGER NOT NULL,           -- claims of this task before it that expired in a row
  failure    INTEGER NOT NULL            -- 1: its expiry is a failure of the task
) STRICT, WITHOUT ROWID;
