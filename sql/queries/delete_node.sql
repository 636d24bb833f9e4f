DELETE FROM node WHERE id = ?1;
