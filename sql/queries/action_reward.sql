-- Only of the calls that were read: one recorded since was not looked at, and stays unscored.
UPDATE action_log SET reward = ?2 WHERE sequence_id = ?1 AND position <= ?3;
