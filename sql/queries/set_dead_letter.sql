UPDATE dead_letter SET at = ?2, reason = ?3, detail = ?4 WHERE id = ?1;
