INSERT INTO dead_letter (at, format, reason, detail, file, line, text, bytes, hash)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9);
