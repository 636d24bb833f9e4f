-- Keeps the rows by which a copy follows its server.
DELETE FROM mirror WHERE name NOT IN ('copy', 'change', 'change_of_nodes');
