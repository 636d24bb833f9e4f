DELETE FROM action_log WHERE position = json_extract(?1, '$[0]');
