-- id: input-files
-- title: the files that tasks opened are not a partition of the input
-- class: sharding
-- needs: input_open
-- param: share 0.1 share partial overlap above this of a task's files counts
-- param: uneven 0.5 share the spread of file counts over their median that is a strong imbalance
-- why: algorithms.md 9: by file, each belongs to one task: one that two tasks open in their first pass is read twice (+25). Where
-- all tasks open the same files they may share the elements of each, which is in order under the DATA policy or a shard()
-- of one's own, so without a word of the policy OFF that is a remark. Names that count their total (-of-00064) tell what no
-- task opened, when every task came to the end of its list (+20). Only first passes: a shuffle may give files to other tasks later.
WITH task AS (
  SELECT r.worker_id, r.name FROM trainer r WHERE r.worker_id IN (SELECT worker_id FROM input_open)),
-- of a file that was opened more often than rows are kept, some opens are not known
capped AS (
  SELECT EXISTS (SELECT 1 FROM signature_count c LEFT JOIN (SELECT stream, count(*) AS n FROM event WHERE signature_id = 'prog-input-file' GROUP BY stream) k ON k.stream = c.stream
                  WHERE c.signature_id = 'prog-input-file' AND c.count > coalesce(k.n, 0)) AS yes),
job AS (SELECT (SELECT count(*) FROM task) AS tasks, (SELECT count(*) FROM trainer) AS trainers,
               (SELECT count(DISTINCT worker_id) FROM input_open WHERE whole) AS whole,
               EXISTS (SELECT 1 FROM event WHERE signature_id = 'shard-auto-data') AS by_element),
readers AS (SELECT file, count(*) AS n, min(worker_id) AS worker_id FROM input_open GROUP BY file),
owned AS (SELECT o.worker_id, count(*) AS files, sum(r.n > 1) AS shared, sum(r.n = j.tasks) AS by_all FROM input_open o JOIN readers r ON r.file = o.file JOIN job j GROUP BY o.worker_id),
total AS (
  SELECT max(of_total) AS files, count(DISTINCT of_total) AS kinds, (SELECT count(*) FROM readers) AS opened FROM input_open WHERE of_total IS NOT NULL),
found AS (
  SELECT 'overlap' AS cause, 25 AS weight, (SELECT sum(n > 1) FROM readers) || ' of ' || (SELECT count(*) FROM readers) || ' input files were opened by more than one task in its first pass, e.g. '
           || (SELECT min(file) FROM readers WHERE n > 1) AS summary
    FROM job j WHERE j.tasks >= 2 AND NOT j.by_element AND (SELECT max(shared * 1.0 / files) FROM owned) > :share
     AND EXISTS (SELECT 1 FROM owned WHERE by_all < files)
  UNION ALL
  SELECT 'overlap', 0, 'every task opens the same ' || (SELECT count(*) FROM readers) || ' input files: in order only if they share the elements of each (policy DATA, or a shard of their own)'
    FROM job j WHERE j.tasks >= 2 AND NOT j.by_element AND NOT EXISTS (SELECT 1 FROM owned WHERE by_all < files)
  UNION ALL
  SELECT 'missing', 20, (t.files - t.opened) || ' of ' || t.files || ' input files were opened by no task, though each came to the end of its list'
    FROM job j JOIN total t JOIN capped c WHERE NOT c.yes AND j.tasks = j.trainers AND j.whole = j.trainers AND t.kinds = 1 AND t.opened < t.files
  UNION ALL
  SELECT 'imbalance', CASE WHEN (SELECT (max(files) - min(files)) * 1.0 / median(files) FROM owned) > :uneven THEN 20 ELSE 0 END,
         'the tasks opened between ' || (SELECT min(files) FROM owned) || ' and ' || (SELECT max(files) FROM owned) || ' input files in one pass'
    FROM job j JOIN capped c WHERE NOT c.yes AND j.tasks = j.trainers AND j.tasks >= 2 AND j.whole = j.trainers AND (SELECT (max(files) - min(files)) * 1.0 / median(files) FROM owned) > 0.1)
SELECT NULL AS worker_id, (SELECT max(generation) FROM step_state) AS generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi, 'supported' AS confidence_cap, f.weight AS weight_db, f.summary,
       (SELECT json_group_array(event_id) FROM (
          SELECT o.event_id FROM input_open o JOIN readers r ON r.file = o.file ORDER BY r.n = 1, o.file, o.worker_id LIMIT 4)) AS evidence_event_ids,
       f.cause, 'files-' || f.cause AS kind, 'input-' || f.cause AS group_key
  FROM found f JOIN frontier
