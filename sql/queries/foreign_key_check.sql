-- Of tables that are no part of the mirror: its own rows are compared with the fold.
SELECT "table", rowid, parent FROM pragma_foreign_key_check('recall')
UNION ALL
SELECT "table", rowid, parent FROM pragma_foreign_key_check('recall_search') LIMIT 20;
