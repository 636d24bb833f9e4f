-- Whether another event takes this damaged one out of the fold, as hebb before 0.4 wrote it.
SELECT 1 FROM event
WHERE kind = 'undo' AND CASE WHEN json_valid(payload) THEN json_extract(payload, '$.event') = ?1
                             AND json_extract(payload, '$.damage') IS NOT NULL END
LIMIT 1;
