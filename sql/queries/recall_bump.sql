-- A clock that was set back does not make a recall older than it was.
INSERT INTO recall (node, recall_count, last_recalled_at)
SELECT key, 1, ?2 FROM node WHERE id = ?1
ON CONFLICT (node) DO UPDATE SET
  recall_count = recall_count + 1,
  last_recalled_at = max(last_recalled_at, excluded.last_recalled_at);
