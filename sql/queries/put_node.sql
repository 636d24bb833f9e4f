-- Content given as NULL stays as it is. put_node() (engine/mirror/mirror_rows.h) puts the graph's columns of nodes in
-- place of the three comments.
INSERT INTO node (id, name, description, project, scope, properties/*, names*/)
VALUES (?1, coalesce(?2, ''), coalesce(?3, ''), coalesce(?4, ''), coalesce(?5, ''),
        coalesce(?6, '{}')/*, values*/)
ON CONFLICT (id) DO UPDATE SET
  name = coalesce(?2, name), description = coalesce(?3, description),
  project = coalesce(?4, project), scope = coalesce(?5, scope),
  properties = coalesce(?6, properties)/*, changes*/
RETURNING key;
