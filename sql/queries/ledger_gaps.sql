-- Positions run from 1 without gaps: how many there are, and the last.
SELECT count(*), coalesce(max(position), 0) FROM event;
