-- Properties given as NULL stay as they are.
INSERT INTO edge (source, target, type, weight, touched_at, gained, properties)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, coalesce(?7, '{}'))
ON CONFLICT (source, target, type) DO UPDATE SET
  weight = excluded.weight, touched_at = excluded.touched_at, gained = excluded.gained,
  properties = coalesce(?7, properties);
