SELECT line, text, bytes, hash, reason, detail, key FROM inbox ORDER BY at, keyless, key, tie, seq;
