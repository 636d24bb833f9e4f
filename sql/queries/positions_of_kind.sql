-- kind: one of those in the index event_wide, so that no row of the table has to be read.
SELECT position FROM event
WHERE kind = ?1 AND kind IN ('pivot', 'recalibrate', 'policy', 'undo', 'gc') AND at <= ?2
ORDER BY at DESC, key DESC;
