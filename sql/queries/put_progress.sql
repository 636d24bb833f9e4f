INSERT INTO progress (content, reader, items, at, seen_at) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (content, reader) DO UPDATE SET
  items = excluded.items, at = excluded.at, seen_at = excluded.seen_at;
