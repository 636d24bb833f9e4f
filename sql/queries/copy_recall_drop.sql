DELETE FROM recall WHERE node = (SELECT key FROM node WHERE id = json_extract(?1, '$[0]'));
