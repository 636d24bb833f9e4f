SELECT value FROM mirror WHERE name = ?1;
