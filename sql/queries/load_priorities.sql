SELECT node, priority, base, semantic, structural, recency, time_proximity, reward, success_rate, failure_penalty,
       reasons
FROM node_priority ORDER BY node;
