-- The policy of each edge type, as the views use it.
SELECT key, name, decay_per_day, floor, dormant_below, rate, cap, max_gain_per_day, protected, structural, context
FROM edge_type ORDER BY key;
