-- Newest first. NULL: no condition; a limit of -1 means no limit. The tools are put together only for the
-- sequences that are shown.
WITH shown AS (
  SELECT sequence_id, min(agent_id) AS agent_id, min(session_id) AS session_id,
         max(app_name) AS app_name, min(timestamp) AS started_at,
         count(*) AS calls, sum(success) AS succeeded, avg(success) AS success_rate,
         max(reward) AS reward
  FROM action_log
  GROUP BY sequence_id
  HAVING (?1 IS NULL OR min(timestamp) >= ?1) AND (?2 IS NULL OR avg(success) >= ?2)
  ORDER BY started_at DESC, sequence_id
  LIMIT ?3)
SELECT sequence_id, agent_id, session_id, coalesce(app_name, ''), started_at,
       (SELECT max((timestamp - started_at) + duration_ms) FROM action_log a
        WHERE a.sequence_id = shown.sequence_id),
       calls, succeeded, success_rate,
       (SELECT group_concat(tool, ',')
        FROM (SELECT tool FROM action_log a WHERE a.sequence_id = shown.sequence_id
              ORDER BY timestamp, position)),
       reward
FROM shown
ORDER BY started_at DESC, sequence_id;
