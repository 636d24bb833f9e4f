-- The arguments of a sequence's successful calls, up to the position to which the log was read.
SELECT tool, args FROM action_log
WHERE sequence_id = ?1 AND success = 1 AND position <= ?2
ORDER BY timestamp, position;
