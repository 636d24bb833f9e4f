SELECT source, target, type FROM edge NOT INDEXED ORDER BY source, target, type;
