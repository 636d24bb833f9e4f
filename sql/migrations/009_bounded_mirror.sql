-- The mirror keeps the first rows of the golden path, each with its reasons, and says how many there are in all.
-- NULL: a row that an older program wrote has no reasons yet.
ALTER TABLE node_priority ADD COLUMN reasons TEXT;
INSERT INTO mirror (name, value) SELECT 'candidates', (SELECT count(*) FROM node_priority)
WHERE EXISTS (SELECT 1 FROM mirror WHERE name = 'position');
INSERT INTO policy (key, value) SELECT 'mirrored', '1000' WHERE EXISTS (SELECT 1 FROM policy);
DELETE FROM node_priority WHERE node NOT IN (
  SELECT p.node FROM node_priority p JOIN node n ON n.key = p.node
  ORDER BY p.priority DESC, p.base DESC, n.created_at, n.id LIMIT 1000);

-- The latest event of a kind is found by index alone.
DROP INDEX event_wide;
CREATE INDEX event_wide ON event (kind, at, key) WHERE kind IN ('pivot', 'recalibrate', 'policy', 'undo', 'gc');
