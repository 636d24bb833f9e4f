-- The file; then, with 1 in the second column, whether the indexes of all tables fit but those of the two that
-- grow with the ledger, which sql/index_check.h compares.
SELECT quick_check, 0 FROM pragma_quick_check(20)
UNION ALL
SELECT c.integrity_check, 1 FROM sqlite_schema s JOIN pragma_integrity_check(s.name) c
WHERE s.type = 'table' AND s.name NOT IN ('event', 'edge');
