INSERT INTO inbox (seq, at, untimed, keyless, key, tie, line, text, bytes, hash, reason, detail)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12);
