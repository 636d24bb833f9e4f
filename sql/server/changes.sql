SELECT change, kind, key, value FROM hebb.beside
WHERE ledger = $1 AND change > $2 AND (kind LIKE 'recall%')::integer = $3 ORDER BY change LIMIT $4
