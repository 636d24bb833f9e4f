-- kind: one of those of the index event_wide, which tells them without a row being read.
SELECT position FROM event
WHERE kind = ?1 AND kind IN ('pivot', 'recalibrate', 'policy', 'undo', 'gc') AND at <= ?2
ORDER BY at DESC, key DESC;
