-- Best first: the node whose id is the text, then by BM25, where a word in the name counts more than one in
-- the id, and that more than one in the description. ?1 is an FTS5 expression, ?2 the text as it was typed.
SELECT n.id, n.type, n.state, n.name, n.description, n.project, n.scope, n.properties,
       n.created_at, n.updated_at, coalesce(r.recall_count, 0), r.last_recalled_at
FROM node_search
JOIN node n ON n.key = node_search.rowid
LEFT JOIN recall r ON r.node = n.key
WHERE node_search MATCH ?1 AND n.created_at IS NOT NULL AND n.deleted_at IS NULL
  AND (?3 IS NULL OR n.type = ?3 COLLATE NOCASE) AND (?4 IS NULL OR n.state = ?4 COLLATE NOCASE)
  AND (?5 IS NULL OR n.project = ?5 COLLATE NOCASE
    OR substr(n.project, 1, length(?5) + 1) = ?5 || '.' COLLATE NOCASE) AND (?6 IS NULL OR n.scope = ?6)
ORDER BY n.id = ?2 DESC, bm25(node_search, 4.0, 8.0, 1.0), n.id
LIMIT ?7;
