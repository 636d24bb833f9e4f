-- The items of an input that is too long to be sorted in memory, in a temporary database of their own.
CREATE TABLE IF NOT EXISTS inbox (
  seq     INTEGER PRIMARY KEY,           -- order in the input
  at      INTEGER NOT NULL,              -- of a refused item: before all others
  untimed INTEGER NOT NULL,              -- at is when it was read
  keyless INTEGER NOT NULL,
  key     TEXT    NOT NULL,
  tie     TEXT    NOT NULL,              -- of those with one time and key: a hash of the text
  line    INTEGER NOT NULL,
  text    BLOB    NOT NULL,
  bytes   INTEGER NOT NULL,              -- of the whole item
  hash    TEXT    NOT NULL,              -- of the whole item, where the text is its beginning
  reason  TEXT,                          -- refused for; NULL: an event
  detail  TEXT
) STRICT;
