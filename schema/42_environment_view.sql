CREATE VIEW environment_matrix AS     -- component x task: what each task runs, as its own files say
  SELECT component, owner AS task, version, source_id, line FROM environment
   WHERE owner IS NOT NULL ORDER BY component, owner;

CREATE VIEW environment_difference AS -- components in which tasks differ, with the tasks of each version; components one task lacks count
  SELECT e.component, coalesce(m.version, '(absent)') AS version, count(*) AS tasks, group_concat(o.owner, ' ') AS names
    FROM (SELECT component FROM environment WHERE owner IS NOT NULL
           GROUP BY component
          HAVING count(DISTINCT version) > 1
              OR count(DISTINCT owner) < (SELECT count(DISTINCT owner) FROM environment WHERE owner IS NOT NULL)) e
         JOIN (SELECT DISTINCT owner FROM environment WHERE owner IS NOT NULL ORDER BY owner) o
         LEFT JOIN environment m ON m.component = e.component AND m.owner = o.owner
   GROUP BY e.component, coalesce(m.version, '(absent)')
   ORDER BY e.component, tasks DESC, version;
