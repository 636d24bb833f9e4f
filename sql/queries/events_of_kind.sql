-- kind: one of those in the index event_wide.
SELECT position, at, kind, subject, key, payload, vector FROM event
WHERE kind = ?1 AND kind IN ('pivot', 'recalibrate', 'policy', 'undo', 'gc') ORDER BY at, key;
