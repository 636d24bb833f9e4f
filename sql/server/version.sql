SELECT version FROM hebb.version
