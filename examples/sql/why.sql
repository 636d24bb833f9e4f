-- Of the first ten: the factor that takes most away from each. `hebb explain ID` shows the events behind it.
--   sqlite3 -readonly hebb.db < why.sql
SELECT rank, id, round(100 * relative, 1) AS percent_of_first, round(base, 3) AS base,
       CASE min(recency, time_proximity, order_proximity, reward, success_rate, failure_penalty)
         WHEN failure_penalty  THEN 'failure_penalty'
         WHEN success_rate THEN 'success_rate'
         WHEN recency    THEN 'recency'
         WHEN time_proximity   THEN 'time_proximity'
         WHEN order_proximity  THEN 'order_proximity'
         ELSE 'reward'
       END AS held_back_by,
       round(min(recency, time_proximity, order_proximity, reward, success_rate, failure_penalty), 3) AS factor
FROM golden_path
ORDER BY rank
LIMIT 10;
