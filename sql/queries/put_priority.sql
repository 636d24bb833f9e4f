INSERT INTO node_priority (node, priority, base, semantic, structural, recency, locality, reward,
                           expectancy, restraint)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
ON CONFLICT (node) DO UPDATE SET
  priority = excluded.priority, base = excluded.base, semantic = excluded.semantic,
  structural = excluded.structural, recency = excluded.recency, locality = excluded.locality,
  reward = excluded.reward, expectancy = excluded.expectancy, restraint = excluded.restraint;
