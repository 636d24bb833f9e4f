-- What a schema is made of: each object with its text, a table with the names of its columns as well.
SELECT type, name, sql,
       CASE WHEN type = 'table'
            THEN (SELECT group_concat(c.name, ' ') FROM pragma_table_info(s.name) AS c) END AS columns
FROM sqlite_schema AS s WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY name;
