-- The latest event of a kind is found by index alone.
DROP INDEX event_wide;
CREATE INDEX event_wide ON event (kind, at, key) WHERE kind IN ('pivot', 'recalibrate', 'policy', 'undo', 'gc');
