-- The session after the one given, by name; NULL: the first. NULL when there is none.
SELECT min(session_id) FROM action_log WHERE ?1 IS NULL OR session_id > ?1;
