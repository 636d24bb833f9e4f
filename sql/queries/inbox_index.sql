CREATE INDEX IF NOT EXISTS inbox_order ON inbox (at, keyless, key, tie, seq);
