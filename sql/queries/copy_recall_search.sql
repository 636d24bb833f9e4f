SELECT n.id AS node, r.search, r.day FROM recall_search r JOIN node n ON n.key = r.node
WHERE n.id = json_extract(?1, '$[0]') AND r.search = json_extract(?1, '$[1]');
