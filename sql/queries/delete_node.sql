DELETE FROM node WHERE key = ?1;
