DELETE FROM progress WHERE content = ?1;
