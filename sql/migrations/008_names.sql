-- Three factors get the names that the field uses; policies in the ledger keep the old ones, which are still read.
DROP VIEW golden_path;
ALTER TABLE node_priority RENAME COLUMN locality TO time_proximity;
ALTER TABLE node_priority RENAME COLUMN expectancy TO success_rate;
ALTER TABLE node_priority RENAME COLUMN restraint TO failure_penalty;
UPDATE policy SET key = 'failure_penalty' WHERE key = 'restraint';
UPDATE policy SET key = 'time_proximity_exponent' WHERE key = 'locality_exponent';
UPDATE policy SET key = 'success_rate_' || substr(key, length('expectancy_') + 1) WHERE key GLOB 'expectancy_*';
CREATE VIEW golden_path AS
SELECT row_number() OVER (ORDER BY p.priority DESC, p.base DESC, n.created_at, n.id) AS rank,
       n.id AS id, n.name AS name, p.priority AS priority,
       p.priority / max(p.priority) OVER () AS relative,
       p.base AS base, p.semantic AS semantic, p.structural AS structural, p.recency AS recency,
       p.time_proximity AS time_proximity, p.reward AS reward, p.success_rate AS success_rate,
       p.failure_penalty AS failure_penalty
FROM node_priority p JOIN node n ON n.key = p.node
ORDER BY p.priority DESC, p.base DESC, n.created_at, n.id;
