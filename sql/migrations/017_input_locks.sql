-- A reader's lock shows that it is there.
ALTER TABLE progress DROP COLUMN seen_at;
