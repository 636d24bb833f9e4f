INSERT OR REPLACE INTO progress (content, reader, items, at)
VALUES (CAST(?1 AS TEXT), CAST(?2 AS TEXT), ?3, ?4);
