INSERT INTO progress (content, reader, items, at) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (content, reader) DO UPDATE SET items = excluded.items, at = excluded.at;
