-- Changes a row only if the search has not yet counted for the node on that day.
INSERT INTO recall_search (node, search, day)
SELECT key, ?2, ?3 FROM node WHERE id = ?1
ON CONFLICT (node, search) DO UPDATE SET day = excluded.day WHERE day <> excluded.day;
