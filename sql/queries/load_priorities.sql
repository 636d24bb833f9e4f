SELECT node, priority, base, semantic, structural, recency, locality, reward, expectancy, restraint
FROM node_priority ORDER BY node;
