UPDATE hebb.version SET version = {}
