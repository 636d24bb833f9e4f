-- Only up to the position that was read: calls recorded since were not looked at and stay unscored.
UPDATE action_log SET reward = ?2 WHERE sequence_id = ?1 AND position <= ?3;
