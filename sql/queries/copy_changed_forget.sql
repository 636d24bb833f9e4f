DELETE FROM changed;
