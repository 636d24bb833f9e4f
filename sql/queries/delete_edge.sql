DELETE FROM edge WHERE source = ?1 AND target = ?2 AND type = ?3;
