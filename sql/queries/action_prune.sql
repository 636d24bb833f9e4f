DELETE FROM action_log WHERE timestamp <= ?1;
