INSERT INTO edge_type (name, decay_per_day, floor, dormant_below, rate, cap, max_gain_per_day,
                       protected, structural, context)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
ON CONFLICT (name) DO UPDATE SET
  decay_per_day = excluded.decay_per_day, floor = excluded.floor,
  dormant_below = excluded.dormant_below, rate = excluded.rate, cap = excluded.cap,
  max_gain_per_day = excluded.max_gain_per_day, protected = excluded.protected,
  structural = excluded.structural, context = excluded.context
RETURNING key;
