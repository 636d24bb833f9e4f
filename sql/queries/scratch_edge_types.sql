-- Gives the scratch table the edge types with their keys, even the types that no event names any more.
INSERT OR IGNORE INTO temp.edge_type
  (key, name, decay_per_day, floor, dormant_below, rate, cap, max_gain_per_day, protected, structural, context)
SELECT key, name, decay_per_day, floor, dormant_below, rate, cap, max_gain_per_day, protected, structural, context
FROM main.edge_type WHERE key > 0;
