INSERT INTO progress (content, items) VALUES (?1, ?2)
ON CONFLICT (content) DO UPDATE SET items = excluded.items;
