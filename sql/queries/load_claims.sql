SELECT task, token, agent, claimed_at, expires_at, expiries, failure FROM claim ORDER BY task;
