SELECT position, at, kind, subject, key, payload, vector FROM event WHERE subject = ?1 AND kind = 'gc';
