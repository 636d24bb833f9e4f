-- Searches made before the day ?1 may count again.
DELETE FROM recall_search WHERE day < ?1;
