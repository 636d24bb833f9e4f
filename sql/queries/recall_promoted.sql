SELECT n.id, n.type, n.state, n.name, n.description, n.project, n.scope, n.properties,
       n.created_at, n.updated_at, r.recall_count, r.last_recalled_at
FROM recall r
JOIN node n ON n.key = r.node
WHERE r.recall_count >= ?1 AND n.created_at IS NOT NULL AND n.deleted_at IS NULL
  AND (?2 IS NULL OR n.type = ?2 COLLATE NOCASE) AND (?3 IS NULL OR n.project = ?3 COLLATE NOCASE
    OR substr(n.project, 1, length(?3) + 1) = ?3 || '.' COLLATE NOCASE)
  AND (?4 IS NULL OR n.scope = ?4) AND (?5 IS NULL OR r.last_recalled_at >= ?5)
ORDER BY r.recall_count DESC, r.last_recalled_at DESC, n.id
LIMIT ?6;
