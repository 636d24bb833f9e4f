-- One event at the end of the ledger; no row if its key is there already.
INSERT INTO event (position, at, kind, subject, key, payload, vector, checksum)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
ON CONFLICT (key) DO NOTHING;
