SELECT position FROM event WHERE key = ?1;
