SELECT (extract(epoch FROM clock_timestamp() - changed_at) * 1000)::bigint FROM hebb.beside
WHERE ledger = $1 AND kind = $2 AND key = $3
