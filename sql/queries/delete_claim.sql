DELETE FROM claim WHERE task = ?1;
