-- How far an input was read: one whose items have neither id nor time is one transaction now.
DROP TABLE progress;
