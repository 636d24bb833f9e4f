DELETE FROM mirror WHERE name = ?1;
