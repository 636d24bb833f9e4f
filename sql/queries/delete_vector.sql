DELETE FROM node_vector WHERE node = ?1;
