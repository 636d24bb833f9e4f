-- How often each task failed.
ALTER TABLE node ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
