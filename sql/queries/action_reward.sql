UPDATE action_log SET reward = ?2 WHERE sequence_id = ?1;
