-- Content given as NULL stays as it is.
INSERT INTO node (id, type, state, name, description, project, scope, properties, created_at,
                  updated_at, reopened_at, outcome_at, completed_at, deleted_at, successes, failures,
                  tried_at, priority, due_at, snoozed_until, pinned, failed)
VALUES (?1, ?2, ?3, coalesce(?4, ''), coalesce(?5, ''), coalesce(?6, ''), coalesce(?7, ''),
        coalesce(?8, '{}'), ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
        ?22)
ON CONFLICT (id) DO UPDATE SET
  type = excluded.type, state = excluded.state, name = coalesce(?4, name),
  description = coalesce(?5, description), project = coalesce(?6, project),
  scope = coalesce(?7, scope), properties = coalesce(?8, properties),
  created_at = excluded.created_at, updated_at = excluded.updated_at,
  reopened_at = excluded.reopened_at, outcome_at = excluded.outcome_at,
  completed_at = excluded.completed_at, deleted_at = excluded.deleted_at,
  successes = excluded.successes, failures = excluded.failures, tried_at = excluded.tried_at,
  priority = excluded.priority, due_at = excluded.due_at,
  snoozed_until = excluded.snoozed_until, pinned = excluded.pinned, failed = excluded.failed
RETURNING key;
