SELECT position FROM event WHERE key >= ?1 AND key < ?2 LIMIT 1;
