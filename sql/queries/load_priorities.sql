SELECT node, priority, base, semantic, structural, recency, time_proximity, order_proximity, context_overlap, reward,
       success_rate, failure_penalty, urgency, pinned, reasons
FROM node_priority ORDER BY node;
