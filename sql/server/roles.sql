-- Who may do what. Give these to the users that programs connect as: GRANT hebb_reporter TO ci;
-- hebb_reporter appends, and cannot change or remove what is there; hebb_owner also makes ledgers. Roles are those
-- of all databases of a server.
DO $$
BEGIN
  CREATE ROLE hebb_reader NOLOGIN;
  CREATE ROLE hebb_reporter NOLOGIN;
  CREATE ROLE hebb_owner NOLOGIN;
EXCEPTION WHEN duplicate_object THEN NULL;
END
$$;
GRANT hebb_reader TO hebb_reporter;
GRANT hebb_reporter TO hebb_owner;
GRANT USAGE ON SCHEMA hebb TO hebb_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA hebb TO hebb_reader;
GRANT EXECUTE ON FUNCTION hebb.append TO hebb_reporter;
GRANT EXECUTE ON FUNCTION hebb.create_ledger, hebb.move_ledger TO hebb_owner;
GRANT INSERT, DELETE, UPDATE ON hebb.member TO hebb_owner;
