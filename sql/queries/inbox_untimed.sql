UPDATE inbox SET at = ?1 WHERE untimed;
