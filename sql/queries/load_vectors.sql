SELECT node, vector FROM node_vector ORDER BY node;
