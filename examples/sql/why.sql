-- Of the first ten: the factor that takes most away from each. `hebb explain ID` shows the events behind it.
--   sqlite3 -readonly hebb.db < why.sql
SELECT rank, id, round(100 * relative, 1) AS percent_of_first, round(base, 3) AS base,
       CASE min(recency, locality, reward, expectancy, restraint)
         WHEN restraint  THEN 'restraint'
         WHEN expectancy THEN 'expectancy'
         WHEN recency    THEN 'recency'
         WHEN locality   THEN 'locality'
         ELSE 'reward'
       END AS held_back_by,
       round(min(recency, locality, reward, expectancy, restraint), 3) AS factor
FROM golden_path
ORDER BY rank
LIMIT 10;
