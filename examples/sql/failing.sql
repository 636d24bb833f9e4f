-- Labels, categories and assignees by how often their tasks succeed, the worst first. Undone outcomes are left out.
--   sqlite3 -readonly hebb.db < failing.sql
SELECT context.value AS context,
       sum(payload ->> 'outcome' = 'success') AS successes,
       sum(payload ->> 'outcome' = 'failure') AS failures,
       round(100.0 * sum(payload ->> 'outcome' = 'success') / count(*), 1) AS percent
FROM event, json_each(event.payload, '$.contexts') AS context
WHERE event.kind = 'outcome'
  AND event.position NOT IN (SELECT payload ->> 'event' FROM event WHERE kind = 'undo')
GROUP BY context.value
HAVING count(*) >= 5
ORDER BY percent, failures DESC, context
LIMIT 20;
