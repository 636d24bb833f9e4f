-- The ranking in one row, which is written with each event. The mirror is made anew, not migrated.
DROP VIEW golden_path;
DROP TABLE node_priority;
CREATE TABLE ranking (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  at         INTEGER NOT NULL,           -- the time that it is of
  candidates INTEGER NOT NULL,           -- how many tasks are ranked, with those that are not in `tasks`
  largest    REAL    NOT NULL,           -- of the priorities
  tasks      TEXT    NOT NULL            -- JSON, best first: [id, priority], or [id, priority, 1] if it is pinned
) STRICT;
CREATE VIEW golden_path AS
SELECT t.key + 1 AS rank, n.id AS id, n.name AS name, json_extract(t.value, '$[1]') AS priority,
       CASE WHEN r.largest > 0 THEN json_extract(t.value, '$[1]') / r.largest ELSE 0.0 END AS relative,
       coalesce(json_extract(t.value, '$[2]'), 0) AS pinned
FROM ranking r CROSS JOIN json_each(r.tasks) t CROSS JOIN node n ON n.id = json_extract(t.value, '$[0]');
DELETE FROM mirror;
