-- Sessions by server, in the order of their first calls. NULL: no condition.
SELECT session_id, coalesce(app_name, '') AS app
FROM action_log
WHERE (?1 IS NULL OR timestamp >= ?1) AND (?2 IS NULL OR sequence_id = ?2)
  AND (?3 IS NULL OR session_id = ?3)
GROUP BY session_id, app
ORDER BY min(timestamp), min(position);
