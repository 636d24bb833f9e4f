-- What people say of a task, its own outcomes as evidence, and the factor urgency.
DROP VIEW golden_path;
DROP INDEX node_priority_order;
ALTER TABLE node ADD COLUMN successes REAL NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN failures REAL NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN tried_at INTEGER;
ALTER TABLE node ADD COLUMN priority INTEGER;
ALTER TABLE node ADD COLUMN due_at INTEGER;
ALTER TABLE node ADD COLUMN snoozed_until INTEGER;
ALTER TABLE node ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE node_priority ADD COLUMN urgency REAL NOT NULL DEFAULT 1;
ALTER TABLE node_priority ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
CREATE INDEX node_priority_order ON node_priority (pinned DESC, priority DESC, base DESC);
CREATE VIEW golden_path AS
SELECT row_number() OVER (ORDER BY p.pinned DESC, p.priority DESC, p.base DESC, n.created_at, n.id) AS rank,
       n.id AS id, n.name AS name, p.priority AS priority,
       p.priority / max(p.priority) OVER () AS relative,
       p.base AS base, p.semantic AS semantic, p.structural AS structural, p.recency AS recency,
       p.time_proximity AS time_proximity, p.order_proximity AS order_proximity,
       p.context_overlap AS context_overlap, p.reward AS reward, p.success_rate AS success_rate,
       p.failure_penalty AS failure_penalty, p.urgency AS urgency, p.pinned AS pinned
FROM node_priority p JOIN node n ON n.key = p.node
ORDER BY p.pinned DESC, p.priority DESC, p.base DESC, n.created_at, n.id;

-- The rules have changed by which events fold: the next command folds the ledger as a whole.
DELETE FROM mirror WHERE name = 'position';
