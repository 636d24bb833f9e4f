-- All objects of the schema with their text; for a table also the names of its columns.
SELECT type, name, sql,
       CASE WHEN type = 'table'
            THEN (SELECT group_concat(c.name, ' ') FROM pragma_table_info(s.name) AS c) END AS columns
FROM sqlite_schema AS s WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY name;
