-- A number that changes when another connection commits.
PRAGMA data_version;
