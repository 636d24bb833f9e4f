SELECT id FROM node WHERE name = ?1;
