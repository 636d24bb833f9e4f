-- Without the blocking cycle, which older programs did not write, and without the image's seal, which
-- depends on a file and not on the ledger.
SELECT name, value FROM mirror WHERE name NOT IN ('blocking_cycle', 'image') ORDER BY name;
