-- Two factors more. They are 1 until the next command ranks.
DROP VIEW golden_path;
ALTER TABLE node_priority ADD COLUMN order_proximity REAL NOT NULL DEFAULT 1;
ALTER TABLE node_priority ADD COLUMN context_overlap REAL NOT NULL DEFAULT 1;
CREATE VIEW golden_path AS
SELECT row_number() OVER (ORDER BY p.priority DESC, p.base DESC, n.created_at, n.id) AS rank,
       n.id AS id, n.name AS name, p.priority AS priority,
       p.priority / max(p.priority) OVER () AS relative,
       p.base AS base, p.semantic AS semantic, p.structural AS structural, p.recency AS recency,
       p.time_proximity AS time_proximity, p.order_proximity AS order_proximity,
       p.context_overlap AS context_overlap, p.reward AS reward, p.success_rate AS success_rate,
       p.failure_penalty AS failure_penalty
FROM node_priority p JOIN node n ON n.key = p.node
ORDER BY p.priority DESC, p.base DESC, n.created_at, n.id;
