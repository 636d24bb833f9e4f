SELECT items, at, reader, seen_at FROM progress WHERE content = ?1;
