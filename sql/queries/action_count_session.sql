-- How many calls that fit a query are of one session. NULL: no condition.
SELECT count(*) FROM action_log
WHERE session_id = ?1 AND (?2 IS NULL OR timestamp >= ?2) AND (?3 IS NULL OR sequence_id = ?3);
