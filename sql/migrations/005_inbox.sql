-- Of an item that is too long to be kept: its length, and a hash of all of it.
ALTER TABLE dead_letter ADD COLUMN bytes INTEGER;
ALTER TABLE dead_letter ADD COLUMN hash TEXT;
-- When the reading that was cut short began: what says no time of its own is of that time.
ALTER TABLE progress ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
