-- What the calls of a sequence that succeeded named.
SELECT tool, args FROM action_log WHERE sequence_id = ?1 AND success = 1 ORDER BY timestamp, id;
