-- The reasons of the stored golden path; no rows if an older program wrote any of it.
SELECT n.id, p.reasons FROM node_priority p JOIN node n ON n.key = p.node
WHERE NOT EXISTS (SELECT 1 FROM node_priority WHERE reasons IS NULL) ORDER BY n.id;
