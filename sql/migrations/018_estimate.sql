-- How long people say that a task takes.
ALTER TABLE node ADD COLUMN estimate INTEGER;
