SELECT count(*) FROM event WHERE kind = 'outcome';
