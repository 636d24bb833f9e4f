SELECT key FROM node WHERE id = ?1;
