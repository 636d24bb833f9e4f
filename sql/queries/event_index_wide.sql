SELECT kind, at, key, position FROM event INDEXED BY event_wide
WHERE kind IN ('pivot', 'recalibrate', 'policy', 'undo', 'gc') ORDER BY kind, at, key, position;
