SELECT count(*) FROM dead_letter;
