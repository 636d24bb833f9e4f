-- But for what a copy knows of its server.
DELETE FROM mirror WHERE name NOT IN ('copy', 'change', 'change_of_nodes');
