-- For one connection to a copy (SQLite): notes which rows beside the ledger it changes.
CREATE TEMP TABLE changed (
  kind TEXT NOT NULL,
  key  TEXT NOT NULL,
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE TEMP TRIGGER dead_letter_insert AFTER INSERT ON main.dead_letter BEGIN
  INSERT OR IGNORE INTO changed VALUES ('dead_letter', json_array(new.id));
END;
CREATE TEMP TRIGGER dead_letter_update AFTER UPDATE ON main.dead_letter BEGIN
  INSERT OR IGNORE INTO changed VALUES ('dead_letter', json_array(new.id));
END;
CREATE TEMP TRIGGER dead_letter_delete AFTER DELETE ON main.dead_letter BEGIN
  INSERT OR IGNORE INTO changed VALUES ('dead_letter', json_array(old.id));
END;
CREATE TEMP TRIGGER action_log_insert AFTER INSERT ON main.action_log BEGIN
  INSERT OR IGNORE INTO changed VALUES ('action_log', json_array(new.position));
END;
CREATE TEMP TRIGGER action_log_update AFTER UPDATE ON main.action_log BEGIN
  INSERT OR IGNORE INTO changed VALUES ('action_log', json_array(new.position));
END;
CREATE TEMP TRIGGER action_log_delete AFTER DELETE ON main.action_log BEGIN
  INSERT OR IGNORE INTO changed VALUES ('action_log', json_array(old.position));
END;
-- A node is noted by its id, since its key differs between copies. Each copy removes the rows of a deleted node itself.
CREATE TEMP TRIGGER recall_insert AFTER INSERT ON main.recall BEGIN
  INSERT OR IGNORE INTO changed SELECT 'recall', json_array(id) FROM node WHERE key = new.node;
END;
CREATE TEMP TRIGGER recall_update AFTER UPDATE ON main.recall BEGIN
  INSERT OR IGNORE INTO changed SELECT 'recall', json_array(id) FROM node WHERE key = new.node;
END;
CREATE TEMP TRIGGER recall_search_insert AFTER INSERT ON main.recall_search BEGIN
  INSERT OR IGNORE INTO changed SELECT 'recall_search', json_array(id, new.search) FROM node WHERE key = new.node;
END;
CREATE TEMP TRIGGER recall_search_update AFTER UPDATE ON main.recall_search BEGIN
  INSERT OR IGNORE INTO changed SELECT 'recall_search', json_array(id, new.search) FROM node WHERE key = new.node;
END;
CREATE TEMP TRIGGER recall_search_delete AFTER DELETE ON main.recall_search BEGIN
  INSERT OR IGNORE INTO changed SELECT 'recall_search', json_array(id, old.search) FROM node WHERE key = old.node;
END;
