-- What a PostgreSQL server holds for hebb, version 1. `event` is the only truth, with the columns of the table of
-- that name in a SQLite database and the same checksums; every machine has a copy of it, and from that all else.
CREATE SCHEMA hebb;

CREATE TABLE hebb.version (version integer NOT NULL);
INSERT INTO hebb.version VALUES (1);

CREATE TABLE hebb.ledger (
  name       text COLLATE "C" PRIMARY KEY,
  position   bigint NOT NULL DEFAULT 0,         -- of the last event
  checksum   bigint NOT NULL DEFAULT 0,         -- of the last event
  change     bigint NOT NULL DEFAULT 0,         -- the last number in `beside`
  moved_to   text,                              -- where it is now; NULL: here
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE hebb.event (
  ledger   text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  at       bigint NOT NULL,
  kind     text COLLATE "C" NOT NULL,
  subject  text COLLATE "C" NOT NULL,
  key      text COLLATE "C" NOT NULL,
  payload  text NOT NULL,
  vector   bytea,
  checksum bigint NOT NULL,
  PRIMARY KEY (ledger, position),
  UNIQUE (ledger, key)
);

-- Rows of tables beside the ledger: dead letters, recall, actions.
CREATE TABLE hebb.beside (
  ledger     text COLLATE "C" NOT NULL,
  kind       text COLLATE "C" NOT NULL,         -- the table
  key        text COLLATE "C" NOT NULL,         -- its primary key, a JSON array
  change     bigint NOT NULL,                   -- counts the changes of all rows of the ledger
  changed_at timestamptz NOT NULL,
  value      json,                              -- the row, an object; NULL: it was removed
  of_node    boolean NOT NULL,                  -- a copy takes it once it has the node
  PRIMARY KEY (ledger, kind, key)
);
CREATE INDEX beside_change ON hebb.beside (ledger, of_node, change);

-- Which transactions were committed, for whoever lost the answer: the ends of the ledger, in order, so that rows are
-- added to the key's index at its end.
CREATE TABLE hebb.batch (
  ledger   text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  change   bigint NOT NULL,
  id       uuid NOT NULL,
  at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (ledger, position, change)
);

-- Who may use a ledger. A ledger without a row here is for all who may use the schema.
CREATE TABLE hebb.member (
  ledger text COLLATE "C" NOT NULL,
  role   name NOT NULL,                         -- also for those who are members of that role
  writes boolean NOT NULL DEFAULT true,
  PRIMARY KEY (ledger, role)
);

CREATE FUNCTION hebb.may_write(of_ledger text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = hebb, pg_temp AS $$
  SELECT NOT EXISTS (SELECT FROM member m WHERE m.ledger = of_ledger)
      OR EXISTS (SELECT FROM member m WHERE m.ledger = of_ledger AND m.writes
                 AND pg_has_role(session_user, to_regrole(quote_ident(m.role)), 'MEMBER'))
$$;
-- Ledgers that the user may not read. Every statement asks for them, and they are few: most have no members.
CREATE VIEW hebb.hidden AS
SELECT ledger FROM hebb.member GROUP BY ledger
HAVING NOT coalesce(bool_or(pg_has_role(session_user, to_regrole(quote_ident(role)), 'MEMBER')), false);

CREATE FUNCTION hebb.create_ledger(of_ledger text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = hebb, pg_temp AS $$
  INSERT INTO ledger (name) VALUES (of_ledger) ON CONFLICT DO NOTHING
$$;

-- The ledger is elsewhere from now on: nothing more is appended here.
CREATE FUNCTION hebb.move_ledger(of_ledger text, target text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = hebb, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(of_ledger, 0));
  IF NOT hebb.may_write(of_ledger) THEN
    RAISE insufficient_privilege USING MESSAGE = format('the ledger "%s" is not for %s to write', of_ledger, session_user);
  END IF;
  UPDATE ledger SET moved_to = target WHERE name = of_ledger;
END
$$;

-- The one way to write. Appends events after `base` and changes rows beside the ledger, if the ledger still ends
-- at `base`; returns its new end, or NULL if it does not, and then nothing was changed. batch: see the table.
-- The lock makes those who wait go in turn.
CREATE FUNCTION hebb.append(of_ledger text, base bigint, base_checksum bigint, batch_id uuid,
                            at bigint[], kind text[], subject text[], key text[], payload text[],
                            vector bytea[], checksum bigint[],
                            of_table text[], of_row text[], value text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = hebb, pg_temp AS $$
#variable_conflict use_column
DECLARE
  events bigint := cardinality(append.at);
  changes bigint := cardinality(append.of_table);
  last_change bigint;
  has_members boolean;
  target text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(of_ledger, 0));
  UPDATE ledger SET position = base + events, change = change + changes,
                    checksum = coalesce(append.checksum[events], checksum)
  WHERE name = of_ledger AND position = base AND checksum = base_checksum AND moved_to IS NULL
  RETURNING change, EXISTS (SELECT FROM member m WHERE m.ledger = of_ledger) INTO last_change, has_members;
  IF has_members IS DISTINCT FROM false AND NOT hebb.may_write(of_ledger) THEN
    RAISE insufficient_privilege USING MESSAGE = format('the ledger "%s" is not for %s to write', of_ledger, session_user);
  END IF;
  IF last_change IS NULL THEN
    SELECT moved_to INTO target FROM ledger WHERE name = of_ledger;
    IF NOT FOUND THEN
      RAISE no_data_found USING MESSAGE = format('there is no ledger "%s"', of_ledger);
    END IF;
    IF target IS NOT NULL THEN
      RAISE object_not_in_prerequisite_state USING MESSAGE = format('the ledger "%s" has moved to %s', of_ledger, target);
    END IF;
    RETURN NULL;
  END IF;
  IF events > 0 THEN
    INSERT INTO event (ledger, position, at, kind, subject, key, payload, vector, checksum)
    SELECT of_ledger, base + n, e.at, e.kind, e.subject, e.key, e.payload, e.vector, e.checksum
    FROM unnest(append.at, append.kind, append.subject, append.key, append.payload, append.vector, append.checksum)
         WITH ORDINALITY AS e (at, kind, subject, key, payload, vector, checksum, n);
  END IF;
  IF changes > 0 THEN
    INSERT INTO beside (ledger, kind, key, change, changed_at, value, of_node)
    SELECT of_ledger, b.kind, b.key, last_change - changes + n, clock_timestamp(), b.value::json,
           b.kind LIKE 'recall%'
    FROM unnest(append.of_table, append.of_row, append.value) WITH ORDINALITY AS b (kind, key, value, n)
    ON CONFLICT (ledger, kind, key) DO UPDATE
    SET change = excluded.change, changed_at = excluded.changed_at, value = excluded.value;
  END IF;
  INSERT INTO batch (ledger, position, change, id) VALUES (of_ledger, base + events, last_change, batch_id);
  -- After each thousand, of the oldest about two thousand: what is looked at does not grow with the table.
  IF (base + events + last_change) % 1000 < events + changes THEN
    DELETE FROM batch WHERE ledger = of_ledger AND at < now() - interval '1 day' AND position <=
      2000 + (SELECT position FROM batch WHERE ledger = of_ledger ORDER BY position LIMIT 1);
  END IF;
  RETURN base + events;
END
$$;

ALTER TABLE hebb.ledger ENABLE ROW LEVEL SECURITY;
ALTER TABLE hebb.event ENABLE ROW LEVEL SECURITY;
ALTER TABLE hebb.beside ENABLE ROW LEVEL SECURITY;
ALTER TABLE hebb.batch ENABLE ROW LEVEL SECURITY;
CREATE POLICY reading ON hebb.ledger FOR SELECT USING (name NOT IN (SELECT h.ledger FROM hebb.hidden h));
CREATE POLICY reading ON hebb.event FOR SELECT USING (ledger NOT IN (SELECT h.ledger FROM hebb.hidden h));
CREATE POLICY reading ON hebb.beside FOR SELECT USING (ledger NOT IN (SELECT h.ledger FROM hebb.hidden h));
CREATE POLICY reading ON hebb.batch FOR SELECT USING (ledger NOT IN (SELECT h.ledger FROM hebb.hidden h));
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA hebb FROM PUBLIC;
GRANT SELECT ON hebb.hidden TO PUBLIC;

-- For people. Texts with a NUL character cannot be shown.
CREATE VIEW hebb.dead_letter WITH (security_invoker = true) AS
SELECT ledger, (value ->> 'id')::bigint AS id, (value ->> 'at')::bigint AS at, value ->> 'format' AS format,
       value ->> 'reason' AS reason, value ->> 'detail' AS detail, value ->> 'file' AS file,
       (value ->> 'line')::bigint AS line, value ->> 'text' AS text
FROM hebb.beside WHERE kind = 'dead_letter' AND value IS NOT NULL;
CREATE VIEW hebb.outcome WITH (security_invoker = true) AS
SELECT ledger, payload::jsonb #>> '{input,id}' AS id, subject AS task, payload::jsonb ->> 'outcome' AS outcome,
       (payload::jsonb ->> 'score')::double precision AS score, at, payload::jsonb #>> '{input,agentId}' AS agent
FROM hebb.event WHERE kind = 'outcome';
