SELECT source, target, type, weight, touched_at, gained FROM edge ORDER BY source, target, type;
