SELECT id, reason, file, line, text, format, detail, at, bytes, hash FROM dead_letter
WHERE id > ?1 ORDER BY id;
