-- The first table in the order in which SQLite's own checks go through the schema.
SELECT name, type FROM pragma_table_list WHERE schema = 'main' LIMIT 1;
