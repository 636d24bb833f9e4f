SELECT subject, at, position FROM event INDEXED BY event_subject ORDER BY subject, at, position;
