SELECT count(*) FROM node_priority;
