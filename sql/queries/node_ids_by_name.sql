-- ?1: a JSON array of names. One pass, however many there are.
SELECT id, name FROM node
WHERE name COLLATE NOCASE IN (SELECT value FROM json_each(?1))
   OR id COLLATE NOCASE IN (SELECT value FROM json_each(?1));
