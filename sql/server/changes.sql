SELECT change, kind, key, value FROM hebb.beside
WHERE ledger = $1 AND of_node = ($3 = 1) AND change > $2 ORDER BY change LIMIT $4
