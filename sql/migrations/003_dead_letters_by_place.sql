-- The same text refused at two places is two dead letters, and so is an item that counts each time, refused twice.
CREATE TABLE dead_letter_by_place (
  id     INTEGER PRIMARY KEY,
  at     INTEGER NOT NULL,
  format TEXT    NOT NULL,
  reason TEXT    NOT NULL,
  detail TEXT    NOT NULL,
  file   TEXT    NOT NULL,
  line   INTEGER NOT NULL,
  text   BLOB    NOT NULL
) STRICT;
INSERT INTO dead_letter_by_place SELECT id, at, format, reason, detail, file, line, text FROM dead_letter;
DROP TABLE dead_letter;
ALTER TABLE dead_letter_by_place RENAME TO dead_letter;
CREATE INDEX dead_letter_place ON dead_letter (file, line);
