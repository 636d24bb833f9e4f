-- Those that only the keys of another table's rows are known of.
DELETE FROM node WHERE created_at IS NULL;
