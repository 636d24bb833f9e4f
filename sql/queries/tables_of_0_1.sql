-- How many of these four tables have the columns that they have in hebb 0.1.
WITH ours (name, columns) AS (VALUES
  ('event', 'position,at,kind,subject,key,payload,vector'),
  ('mirror', 'name,value'),
  ('edge', 'source,target,type,weight,touched_at,gained,properties'),
  ('progress', 'content,items'))
SELECT count(*) FROM ours
WHERE columns = (SELECT group_concat(name) FROM pragma_table_info(ours.name));
