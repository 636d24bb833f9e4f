-- What to do next: the first three of the ranking.
--   sqlite3 -readonly hebb.db < top.sql
SELECT rank, id, name, round(100 * relative, 1) AS percent_of_first
FROM golden_path
ORDER BY rank
LIMIT 3;
