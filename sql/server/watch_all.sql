-- After watch.sql: notes all rows beside the ledger as changed.
INSERT OR IGNORE INTO changed SELECT 'dead_letter', json_array(id) FROM dead_letter;
INSERT OR IGNORE INTO changed SELECT 'action_log', json_array(position) FROM action_log;
INSERT OR IGNORE INTO changed SELECT 'recall', json_array(n.id) FROM recall r JOIN node n ON n.key = r.node;
INSERT OR IGNORE INTO changed
SELECT 'recall_search', json_array(n.id, r.search) FROM recall_search r JOIN node n ON n.key = r.node;
