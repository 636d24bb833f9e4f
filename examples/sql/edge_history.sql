-- The events that name one edge, in the order in which they count. What each did to the weight:
-- hebb explain SOURCE TARGET TYPE.
--   sqlite3 -readonly -cmd ".parameter set :source task-1" -cmd ".parameter set :target task-2" \
--           -cmd ".parameter set :type REWARD_POSITIVE" hebb.db < edge_history.sql
SELECT position, datetime(event.at / 1000, 'unixepoch') AS at, kind, subject, payload
FROM event
WHERE (kind IN ('edge', 'unlink') AND subject = :source AND payload ->> 'target' = :target
       AND payload ->> 'type' = :type)
   OR (kind = 'outcome' AND subject = :source
       AND :type = CASE payload ->> 'outcome' WHEN 'success' THEN 'REWARD_POSITIVE'
                                              WHEN 'failure' THEN 'REWARD_NEGATIVE' END
       AND (:target IN (SELECT value FROM json_each(payload, '$.contexts'))
            OR :target IN (SELECT value FROM json_each(payload, '$.related'))))
   OR (kind = 'outcome' AND :source = 'frontier' AND subject = :target
       AND (:type = 'REWARD_NEGATIVE' AND payload ->> 'outcome' <> 'partial'
            OR :type = 'GUIDES' AND payload ->> 'outcome' = 'failure'))
   OR (kind = 'recalibrate' AND :source = 'frontier' AND :type = 'GUIDES'
       AND :target IN (SELECT value ->> 'node' FROM json_each(payload, '$.guides')))
ORDER BY event.at, key;
