SELECT hebb.create_ledger($1) IS NULL
