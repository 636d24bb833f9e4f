SELECT name, description, project, scope, properties FROM node WHERE id = ?1;
