-- Each row of the ledger gets a checksum; the program computes them after this step, see sql/migrate.cc.
ALTER TABLE event ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;

-- The view must stay readable when one payload is damaged.
DROP VIEW outcome;
CREATE VIEW outcome AS
SELECT json_extract(payload, '$.input.id') AS id, subject AS task,
       json_extract(payload, '$.outcome') AS outcome, json_extract(payload, '$.score') AS score,
       at, json_extract(payload, '$.input.agentId') AS agent
FROM event WHERE kind = 'outcome' AND json_valid(payload);
