SELECT key, id, type, state, created_at, updated_at, reopened_at, outcome_at, completed_at, deleted_at,
       successes, failures, tried_at, priority, due_at, snoozed_until, pinned, failed
FROM node ORDER BY key;
