-- How often each task failed since its last success, or since its state was set.
ALTER TABLE node ADD COLUMN failing INTEGER NOT NULL DEFAULT 0;
