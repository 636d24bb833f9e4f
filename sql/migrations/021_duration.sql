-- How long each task or test took when it last succeeded; before that, when it last failed.
ALTER TABLE node ADD COLUMN duration_ms INTEGER;
