SELECT key, id, type, state, created_at, updated_at, reopened_at, outcome_at, completed_at, deleted_at
FROM node ORDER BY key;
