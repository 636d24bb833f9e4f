-- For a SQLite database that has moved to a server: each attempt to write fails with a message that says where it is,
-- also in a program that has it open.
CREATE TRIGGER moved_event BEFORE INSERT ON event BEGIN SELECT raise(ABORT, {0}); END;
CREATE TRIGGER moved_recall BEFORE INSERT ON recall BEGIN SELECT raise(ABORT, {0}); END;
CREATE TRIGGER moved_dead_letter_insert BEFORE INSERT ON dead_letter BEGIN SELECT raise(ABORT, {0}); END;
CREATE TRIGGER moved_dead_letter_update BEFORE UPDATE ON dead_letter BEGIN SELECT raise(ABORT, {0}); END;
CREATE TRIGGER moved_dead_letter_delete BEFORE DELETE ON dead_letter BEGIN SELECT raise(ABORT, {0}); END;
CREATE TRIGGER moved_action_log_insert BEFORE INSERT ON action_log BEGIN SELECT raise(ABORT, {0}); END;
CREATE TRIGGER moved_action_log_update BEFORE UPDATE ON action_log BEGIN SELECT raise(ABORT, {0}); END;
CREATE TRIGGER moved_action_log_delete BEFORE DELETE ON action_log BEGIN SELECT raise(ABORT, {0}); END;
