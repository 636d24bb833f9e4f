UPDATE action_log SET args = ?2, args_bytes = ?3, result = ?4, result_bytes = ?5, failure = ?6
WHERE position = ?1;
