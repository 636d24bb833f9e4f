SELECT key, value FROM policy ORDER BY key;
