INSERT INTO progress (content, items, at) VALUES (?1, ?2, ?3)
ON CONFLICT (content) DO UPDATE SET items = excluded.items, at = excluded.at;
