-- Nodes that were added only for their keys.
DELETE FROM node WHERE created_at IS NULL;
