SELECT hebb.move_ledger($1, $2) IS NULL
