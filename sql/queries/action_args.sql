-- What the calls of a sequence that succeeded named, as far as the log was read.
SELECT tool, args FROM action_log
WHERE sequence_id = ?1 AND success = 1 AND position <= ?2
ORDER BY timestamp, position;
