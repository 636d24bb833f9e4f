INSERT OR REPLACE INTO recall (node, recall_count, last_recalled_at) SELECT key, ?2, ?3 FROM node WHERE id = ?1;
