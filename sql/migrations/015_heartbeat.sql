-- When a reader was last seen at work: in another container nothing else tells that it is there.
ALTER TABLE progress ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
