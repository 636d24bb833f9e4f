SELECT e.properties FROM edge e JOIN node s ON s.key = e.source JOIN node t ON t.key = e.target
JOIN edge_type y ON y.key = e.type WHERE s.id = ?1 AND t.id = ?2 AND y.name = ?3;
