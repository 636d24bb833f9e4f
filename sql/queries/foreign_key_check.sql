-- Only the tables beside the mirror: the mirror's own rows are compared with the fold.
SELECT "table", rowid, parent FROM pragma_foreign_key_check('recall')
UNION ALL
SELECT "table", rowid, parent FROM pragma_foreign_key_check('recall_search') LIMIT 20;
