-- The first page, or the list of free ones, that is damaged. What rows hold is another matter.
SELECT substr(quick_check, instr(quick_check, char(10)) + 1) FROM pragma_quick_check(1)
WHERE quick_check LIKE '*** in database%';
