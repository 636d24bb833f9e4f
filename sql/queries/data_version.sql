-- Another number where another connection has committed since.
PRAGMA data_version;
