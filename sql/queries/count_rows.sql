SELECT (SELECT count(*) FROM node), (SELECT count(*) FROM edge);
