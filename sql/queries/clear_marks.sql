DELETE FROM mirror;
