-- When a reader was last seen at work: nothing else shows a reader in another container.
ALTER TABLE progress ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
