-- The projects of nodes that exist, and how many nodes and OPEN nodes each has.
SELECT project, count(*), sum(state = 'OPEN')
FROM node
WHERE project <> '' AND created_at IS NOT NULL AND deleted_at IS NULL
GROUP BY project
ORDER BY 3 DESC, 2 DESC, project;
