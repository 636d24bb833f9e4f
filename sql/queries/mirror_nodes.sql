-- Everything the mirror holds of nodes; node_query() fills in the graph's columns.
SELECT key, id, name, description, project, scope, properties/*, names*/ FROM node ORDER BY key;
