SELECT items, at, reader FROM progress WHERE content = ?1;
