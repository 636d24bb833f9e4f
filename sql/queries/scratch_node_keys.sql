-- So that the scratch table (sql/scratch_tables.h) gives nodes the keys that they have.
INSERT OR IGNORE INTO temp.node (key, id) SELECT key, id FROM main.node WHERE key > 0;
