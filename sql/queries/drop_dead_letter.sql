DELETE FROM dead_letter WHERE id = ?1;
