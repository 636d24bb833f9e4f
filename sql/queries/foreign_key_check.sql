SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT 20;
