-- A cycle is looked for whenever the mirror is written; older programs wrote none.
SELECT name, value FROM mirror WHERE name <> 'blocking_cycle' ORDER BY name;
