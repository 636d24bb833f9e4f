-- A text that is not UTF-8 comes as bytes.
INSERT OR REPLACE INTO dead_letter (id, at, format, reason, detail, file, line, text, bytes, hash)
VALUES (?1, ?2, CAST(?3 AS TEXT), CAST(?4 AS TEXT), CAST(?5 AS TEXT), CAST(?6 AS TEXT), ?7, CAST(?8 AS BLOB), ?9,
        CAST(?10 AS TEXT));
