SELECT id, reason, file, line, text, format, detail, at FROM dead_letter ORDER BY id;
