-- For an item that is too long to be kept whole: its length, and a hash of all of it.
ALTER TABLE dead_letter ADD COLUMN bytes INTEGER;
ALTER TABLE dead_letter ADD COLUMN hash TEXT;
-- When the reading that was cut short began: items without a time get that time.
ALTER TABLE progress ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
