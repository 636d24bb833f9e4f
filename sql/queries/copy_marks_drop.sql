DELETE FROM mirror WHERE name IN ('copy', 'change', 'change_of_nodes');
