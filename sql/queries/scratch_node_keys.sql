-- Gives nodes in the scratch table (sql/scratch_tables.h) the keys that they have in the file.
INSERT OR IGNORE INTO temp.node (key, id) SELECT key, id FROM main.node WHERE key > 0;
