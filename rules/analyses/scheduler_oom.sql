-- id: scheduler-oom
-- title: the scheduler saw an out-of-memory kill
-- class: oom-host
-- kind: scheduler
-- needs: exit_record
-- weight_db: 30
-- why: Slurm, Kubernetes and launchers record an out-of-memory kill of a task by name, rank or host.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' was killed for want of memory, says the scheduler' AS summary,
       json_group_array('exit:' || x.id) AS evidence_event_ids, 'cgroup' AS cause
  FROM exit_record x JOIN run r
       ON r.name = x.task OR x.task IS NULL AND x.host IS NOT NULL AND x.host = r.host
       OR EXISTS (SELECT 1 FROM stream t WHERE t.worker_id = r.worker_id AND x.rank IS NOT NULL AND t.tag = CAST(x.rank AS TEXT))
 WHERE (x.what = 'oom' OR x.reason = 'OOMKilled') AND r.ending NOT IN ('finished', 'excused')
 GROUP BY r.worker_id, r.attempt
