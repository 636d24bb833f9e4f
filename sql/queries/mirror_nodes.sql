-- Everything the mirror holds of nodes, by text id: what verify compares.
SELECT n.id, n.type, n.state, n.name, n.description, n.project, n.scope, n.properties, n.created_at,
       n.updated_at, n.reopened_at, n.outcome_at, n.completed_at, n.deleted_at, n.successes,
       n.failures, n.tried_at, n.priority AS said_priority, n.due_at, n.snoozed_until, n.pinned, v.vector,
       p.priority, p.base, p.semantic, p.structural, p.recency, p.time_proximity, p.order_proximity,
       p.context_overlap, p.reward, p.success_rate,
       p.failure_penalty, p.urgency, p.pinned AS first
FROM node n LEFT JOIN node_vector v ON v.node = n.key LEFT JOIN node_priority p ON p.node = n.key
ORDER BY n.id;
