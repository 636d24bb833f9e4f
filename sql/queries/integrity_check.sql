-- The file, and all tables with their indexes but the two that grow with the ledger, of which sql/index_check.h
-- compares the indexes.
SELECT quick_check FROM pragma_quick_check(20)
UNION ALL
SELECT c.integrity_check FROM sqlite_schema s JOIN pragma_integrity_check(s.name) c
WHERE s.type = 'table' AND s.name NOT IN ('event', 'edge');
