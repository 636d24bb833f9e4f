SELECT n.id AS node, r.recall_count, r.last_recalled_at
FROM recall r JOIN node n ON n.key = r.node WHERE n.id = json_extract(?1, '$[0]');
