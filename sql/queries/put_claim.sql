INSERT OR REPLACE INTO claim (task, token, agent, claimed_at, expires_at, expiries, failure)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7);
