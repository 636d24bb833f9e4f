-- For monitoring: minutes since the last recalibration (NULL: never), events that the tables do not show yet,
-- and refused items that wait for someone to look at them.
--   sqlite3 -readonly hebb.db < stale.sql
SELECT (SELECT CAST((julianday('now') - 2440587.5) * 1440 - max(at) / 60000.0 AS INTEGER)
        FROM event WHERE kind = 'recalibrate') AS minutes_since_recalibration,
       (SELECT coalesce(max(position), 0) FROM event)
         - coalesce((SELECT value FROM mirror WHERE name = 'position'), 0) AS events_behind,
       (SELECT count(*) FROM dead_letter) AS dead_letters;
