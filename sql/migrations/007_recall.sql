-- A search counts once a day; and the index of `hebb search` gets the parts of names in camelCase, and Chinese,
-- Japanese and Korean in pairs of characters. The triggers that keep the index stay.
CREATE TABLE recall_search (
  node   INTEGER NOT NULL REFERENCES node (key) ON DELETE CASCADE,
  search INTEGER NOT NULL,               -- hash of its words
  day    INTEGER NOT NULL,               -- since 1970, UTC
  PRIMARY KEY (node, search)
) STRICT, WITHOUT ROWID;
CREATE INDEX recall_search_day ON recall_search (day);

DROP TABLE node_search;
CREATE VIRTUAL TABLE node_search USING fts5 (
  id, name, description,
  content = 'node', content_rowid = 'key', tokenize = 'hebb_words'
);
INSERT INTO node_search (node_search) VALUES ('rebuild');
