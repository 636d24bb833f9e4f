-- The first ?1 rows of the golden path; if given, only nodes of type ?2, with a context edge to the label ?3,
-- and of the project ?4.
SELECT n.id, n.name, p.priority, p.base, p.semantic, p.structural, p.recency, p.time_proximity, p.order_proximity,
       p.context_overlap, p.reward, p.success_rate, p.failure_penalty, p.reasons
FROM node_priority p JOIN node n ON n.key = p.node
WHERE (?2 IS NULL OR n.type = ?2) AND (?4 IS NULL OR n.project = ?4)
  AND (?3 IS NULL OR EXISTS (SELECT 1 FROM edge e JOIN edge_type y ON y.key = e.type
                             JOIN node l ON l.key = e.target
                             WHERE e.source = p.node AND y.context AND (l.id = ?3 OR l.name = ?3)))
ORDER BY p.priority DESC, p.base DESC, n.created_at, n.id LIMIT ?1;
