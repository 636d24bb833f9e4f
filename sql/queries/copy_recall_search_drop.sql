DELETE FROM recall_search WHERE node = (SELECT key FROM node WHERE id = json_extract(?1, '$[0]'))
                            AND search = json_extract(?1, '$[1]');
