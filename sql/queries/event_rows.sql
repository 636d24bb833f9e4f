-- What the indexes on events are made from, as the table has it.
SELECT position, at, kind, subject, key FROM event NOT INDEXED;
