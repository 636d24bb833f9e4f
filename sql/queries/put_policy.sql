INSERT INTO policy (key, value) VALUES (?1, ?2);
