-- The letter with the same text, format, file and line; the newest if there are several.
SELECT id, reason FROM dead_letter
WHERE file = ?1 AND line = ?2 AND format = ?3 AND text = ?4 AND hash IS ?5
ORDER BY id DESC LIMIT 1;
