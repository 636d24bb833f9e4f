SELECT checksum FROM hebb.event WHERE ledger = $1 AND position = $2
