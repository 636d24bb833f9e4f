SELECT n.id, n.type, n.state, n.name, n.description, n.project, n.scope, n.properties,
       n.created_at, n.updated_at, coalesce(r.recall_count, 0), r.last_recalled_at
FROM node n
LEFT JOIN recall r ON r.node = n.key
WHERE n.id = ?1 AND n.created_at IS NOT NULL AND n.deleted_at IS NULL;
