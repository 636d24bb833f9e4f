-- How an extension gets at FTS5: ?1 is bound to a pointer, which this fills in.
SELECT fts5(?1);
