-- The items of an input that is too long to be sorted in memory, in a temporary database of their own.
CREATE TABLE IF NOT EXISTS inbox (
  seq     INTEGER PRIMARY KEY,           -- order in the input
  at      INTEGER NOT NULL,              -- a refused item's sorts before all others
  untimed INTEGER NOT NULL,              -- at is when it was read
  keyless INTEGER NOT NULL,
  key     TEXT    NOT NULL,
  tie     TEXT    NOT NULL,              -- hash of the text; orders items with the same time and key
  line    INTEGER NOT NULL,
  text    BLOB    NOT NULL,
  bytes   INTEGER NOT NULL,              -- of the whole item
  hash    TEXT    NOT NULL,              -- of the whole item, if the text is only its beginning
  reason  TEXT,                          -- why it was refused; NULL: it is an event
  detail  TEXT
) STRICT;
