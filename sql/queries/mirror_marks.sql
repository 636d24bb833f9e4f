-- A cycle is looked for whenever the mirror is written; older programs wrote none. The image's seal is of a
-- file, not of the ledger.
SELECT name, value FROM mirror WHERE name NOT IN ('blocking_cycle', 'image') ORDER BY name;
