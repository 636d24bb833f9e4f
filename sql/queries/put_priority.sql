INSERT INTO node_priority (node, priority, base, semantic, structural, recency, time_proximity, order_proximity,
                           context_overlap, reward, success_rate, failure_penalty, urgency, pinned, reasons)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
ON CONFLICT (node) DO UPDATE SET
  priority = excluded.priority, base = excluded.base, semantic = excluded.semantic,
  structural = excluded.structural, recency = excluded.recency, time_proximity = excluded.time_proximity,
  order_proximity = excluded.order_proximity, context_overlap = excluded.context_overlap,
  reward = excluded.reward, success_rate = excluded.success_rate, failure_penalty = excluded.failure_penalty,
  urgency = excluded.urgency, pinned = excluded.pinned, reasons = excluded.reasons;
