SELECT position, at, kind, subject, key, payload, vector, checksum FROM hebb.event
WHERE ledger = $1 AND position >= $2 ORDER BY position LIMIT $3
