SELECT name, value FROM mirror ORDER BY name;
