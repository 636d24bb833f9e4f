INSERT INTO ranking (one, at, candidates, largest, tasks) VALUES (1, ?1, ?2, ?3, ?4)
ON CONFLICT (one) DO UPDATE SET
  at = excluded.at, candidates = excluded.candidates, largest = excluded.largest, tasks = excluded.tasks;
