DELETE FROM policy;
