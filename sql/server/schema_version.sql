SELECT CASE WHEN to_regclass('hebb.version') IS NULL THEN 0 ELSE 1 END, current_setting('server_encoding')
