SELECT source, target, type, weight, touched_at, gained FROM edge;
