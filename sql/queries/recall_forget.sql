-- What was asked before ?1 may count again.
DELETE FROM recall_search WHERE day < ?1;
