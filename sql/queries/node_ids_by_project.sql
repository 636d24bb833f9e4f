-- The nodes of a project, or of one in it: "Home.Garden" is in "Home".
SELECT id FROM node
WHERE project = ?1 COLLATE NOCASE
  OR substr(project, 1, length(?1) + 1) = ?1 || '.' COLLATE NOCASE;
