-- The dead letter for the outcome at position ?2 of the ledger, whose command has not succeeded yet.
SELECT id, text FROM dead_letter WHERE file = ?1 AND line = ?2 AND format = ?1;
