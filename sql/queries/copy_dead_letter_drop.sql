DELETE FROM dead_letter WHERE id = json_extract(?1, '$[0]');
