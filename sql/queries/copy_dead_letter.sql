SELECT id, at, format, reason, detail, file, line, text, bytes, hash
FROM dead_letter WHERE id = json_extract(?1, '$[0]');
