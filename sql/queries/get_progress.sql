SELECT items, at FROM progress WHERE content = ?1;
