UPDATE event SET checksum = ?2 WHERE position = ?1;
