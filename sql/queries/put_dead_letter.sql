-- The same line refused again is the same letter.
INSERT INTO dead_letter (at, format, reason, detail, file, line, text)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (format, text) DO UPDATE SET
  at = excluded.at, reason = excluded.reason, detail = excluded.detail, file = excluded.file,
  line = excluded.line;
