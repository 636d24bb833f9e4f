-- Recall counters and full-text search. Only adds; what is there already is indexed where it lies.
CREATE TABLE IF NOT EXISTS recall (
  node             INTEGER PRIMARY KEY REFERENCES node (key) ON DELETE CASCADE,
  recall_count     INTEGER NOT NULL,
  last_recalled_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS recall_count ON recall (recall_count DESC, last_recalled_at DESC);

-- Full text of nodes for `hebb search`. It keeps no text of its own, only the index, and triggers keep that:
-- only where one of its three columns has changed, so that a state, a time or a recall never rewrites it.
CREATE VIRTUAL TABLE node_search USING fts5 (
  id, name, description,
  content = 'node', content_rowid = 'key', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER node_search_insert AFTER INSERT ON node BEGIN
  INSERT INTO node_search (rowid, id, name, description)
  VALUES (new.key, new.id, new.name, new.description);
END;
CREATE TRIGGER node_search_delete AFTER DELETE ON node BEGIN
  INSERT INTO node_search (node_search, rowid, id, name, description)
  VALUES ('delete', old.key, old.id, old.name, old.description);
END;
CREATE TRIGGER node_search_update AFTER UPDATE OF id, name, description ON node
WHEN old.id <> new.id OR old.name <> new.name OR old.description <> new.description BEGIN
  INSERT INTO node_search (node_search, rowid, id, name, description)
  VALUES ('delete', old.key, old.id, old.name, old.description);
  INSERT INTO node_search (rowid, id, name, description)
  VALUES (new.key, new.id, new.name, new.description);
END;

INSERT INTO node_search (node_search) VALUES ('rebuild');
