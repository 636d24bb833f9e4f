-- Inputs that are being read: two processes may read the same text at one time. The readers of an older version's
-- inputs are unknown.
ALTER TABLE progress RENAME TO old_progress;
CREATE TABLE progress (
  content TEXT    NOT NULL,              -- hash of its bytes, and the format
  reader  TEXT    NOT NULL,              -- who reads it: a process, and an engine in it
  items   INTEGER NOT NULL,              -- events that are done, in the order of (at, key)
  at      INTEGER NOT NULL,              -- when it was first read: the time of items without one
  PRIMARY KEY (content, reader)
) STRICT, WITHOUT ROWID;
INSERT INTO progress SELECT content, '', items, at FROM old_progress;
DROP TABLE old_progress;
