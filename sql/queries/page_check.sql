-- The first damaged page, or the damaged list of free pages. Says nothing about the content of rows.
SELECT substr(quick_check, instr(quick_check, char(10)) + 1) FROM pragma_quick_check(1)
WHERE quick_check LIKE '*** in database%';
