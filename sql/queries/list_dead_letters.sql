SELECT id, reason, file, line, text, format, detail, at, bytes, hash FROM dead_letter ORDER BY id;
