SELECT position, checksum, change, moved_to FROM hebb.ledger WHERE name = $1
