SELECT coalesce(max(position), 0) FROM event;
