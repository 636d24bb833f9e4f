INSERT OR REPLACE INTO recall_search (node, search, day) SELECT key, ?2, ?3 FROM node WHERE id = ?1;
