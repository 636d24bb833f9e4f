-- The letter that keeps the outcome at position ?2 of the ledger, of which somebody is still to be told.
SELECT id, text FROM dead_letter WHERE file = ?1 AND line = ?2 AND format = ?1;
