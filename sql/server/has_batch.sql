SELECT count(*) FROM hebb.batch WHERE ledger = $1 AND position >= $2 AND id = $3
