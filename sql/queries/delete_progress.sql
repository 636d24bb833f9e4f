DELETE FROM progress WHERE content = ?1 AND reader = ?2;
