-- The first ?1 rows of the golden path, of nodes of type ?2, with a context edge to each of the labels ?3
-- and to none of the labels ?4 (JSON arrays), of project ?5 and assigned to ?6, but not of the types ?7 (a
-- JSON array), where those are given.
WITH context AS NOT MATERIALIZED (
  SELECT e.source AS node, l.id AS id, l.name AS name, y.name AS type
  FROM edge e JOIN edge_type y ON y.key = e.type JOIN node l ON l.key = e.target
  WHERE y.context
)
SELECT n.id, n.name, p.priority, p.base, p.semantic, p.structural, p.recency, p.time_proximity, p.order_proximity,
       p.context_overlap, p.reward, p.success_rate, p.failure_penalty, p.urgency, p.pinned, p.reasons
FROM node_priority p JOIN node n ON n.key = p.node
WHERE (?2 IS NULL OR n.type = ?2 COLLATE NOCASE)
  AND (?7 IS NULL OR NOT EXISTS (SELECT 1 FROM json_each(?7) w WHERE w.value = n.type COLLATE NOCASE))
  AND (?3 IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(?3) w WHERE NOT EXISTS (
          SELECT 1 FROM context c WHERE c.node = p.node
            AND (c.id = w.value COLLATE NOCASE OR c.name = w.value COLLATE NOCASE))))
  AND (?4 IS NULL OR NOT EXISTS (
        SELECT 1 FROM json_each(?4) w JOIN context c ON c.node = p.node
          AND (c.id = w.value COLLATE NOCASE OR c.name = w.value COLLATE NOCASE)))
  AND (?5 IS NULL OR n.project = ?5 COLLATE NOCASE)
  AND (?6 IS NULL OR EXISTS (
        SELECT 1 FROM context c WHERE c.node = p.node AND c.type = 'ASSIGNED_TO'
          AND (c.id = ?6 COLLATE NOCASE OR c.name = ?6 COLLATE NOCASE)))
ORDER BY p.pinned DESC, p.priority DESC, p.base DESC, n.created_at, n.id LIMIT ?1;
