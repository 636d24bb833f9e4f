-- Faults of the file; then, with 1 in the second column, the first fault of each index.
SELECT quick_check, 0 FROM pragma_quick_check(20)
UNION ALL
SELECT min(c.integrity_check), 1 FROM sqlite_schema s JOIN pragma_integrity_check(s.name) c
WHERE s.type = 'table' GROUP BY s.name, substr(c.integrity_check, instr(c.integrity_check, ' index '));
