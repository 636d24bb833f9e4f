-- Whether a reader is there is told by its lock.
ALTER TABLE progress DROP COLUMN seen_at;
