-- Newest first. NULL: no condition; a limit of -1 is none.
SELECT sequence_id, min(agent_id) AS agent_id, min(session_id) AS session_id,
       max(app_name) AS app_name, min(timestamp) AS started_at,
       max((timestamp - began) + duration_ms) AS duration_ms, count(*) AS calls,
       sum(success) AS succeeded, avg(success) AS success_rate, group_concat(tool, ',') AS tools,
       max(reward) AS reward
FROM (SELECT *, min(timestamp) OVER (PARTITION BY sequence_id) AS began
      FROM action_log ORDER BY sequence_id, timestamp, id)
GROUP BY sequence_id
HAVING (?1 IS NULL OR min(timestamp) >= ?1) AND (?2 IS NULL OR avg(success) >= ?2)
ORDER BY started_at DESC, sequence_id
LIMIT ?3;
