SELECT content, reader, items, at FROM progress
WHERE content = json_extract(?1, '$[0]') AND reader = json_extract(?1, '$[1]');
