SELECT items FROM progress WHERE content = ?1;
