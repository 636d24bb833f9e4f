DELETE FROM node_priority WHERE node = ?1;
