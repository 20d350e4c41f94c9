-- id: scheduler-oom
-- title: the scheduler saw an out-of-memory kill
-- class: oom-host
-- kind: scheduler
-- needs: exit_record
-- weight_db: 30
-- why: Slurm, Kubernetes and launchers record an out-of-memory kill of a task by name, rank or host.
WITH killed AS (SELECT x.id, x.task, x.host, x.rank FROM exit_record x WHERE x.what = 'oom' OR x.reason = 'OOMKilled'),
whose AS (
  SELECT x.id AS exit_id, w.id AS worker_id FROM killed x JOIN worker w ON w.name = x.task
  UNION SELECT x.id, w.id FROM killed x JOIN worker w ON w.host = x.host WHERE x.task IS NULL
  UNION SELECT x.id, t.worker_id FROM killed x JOIN stream t ON t.tag = CAST(x.rank AS TEXT) WHERE t.worker_id IS NOT NULL)
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' was killed for want of memory, says the scheduler' AS summary,
       json_group_array('exit:' || x.exit_id) AS evidence_event_ids, 'cgroup' AS cause
  FROM whose x JOIN run r ON r.worker_id = x.worker_id
 WHERE r.ending NOT IN ('finished', 'excused')
 GROUP BY r.worker_id, r.attempt
