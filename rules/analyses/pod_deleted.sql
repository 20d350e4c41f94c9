-- id: pod-deleted
-- title: the orchestrator stopped a container that had not failed
-- class: cancelled
-- kind: pod-deleted
-- needs: exit_record
-- weight_db: 25
-- why: algorithms.md 4.6 and G2: an event that a container is being stopped, no reason of memory, eviction or preemption in
-- any record, and no task that failed by itself before. 137 is then the end of the grace period, not a lack of memory.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       r.name || '''s container was stopped by the orchestrator; nothing says that it lacked memory' AS summary,
       json_group_array(DISTINCT 'exit:' || x.id) AS evidence_event_ids
  FROM exit_record x JOIN run r ON r.name = x.task
 WHERE x.what = 'terminating' AND x.reason = 'Killing' AND r.generation = (SELECT max(generation) FROM step_state)
   AND r.ending IN ('silent', 'cleaned-up', 'absent', 'told-to-go')
   AND NOT EXISTS (SELECT 1 FROM exit_record o WHERE o.what IN ('time-limit', 'preempted', 'oom', 'node-fail', 'evicted') OR o.reason IN ('OOMKilled', 'Evicted'))
   AND NOT EXISTS (SELECT 1 FROM exit_record o WHERE o.what = 'exited' AND o.exit_code NOT IN (0, 137, 143))
   AND NOT EXISTS (SELECT 1 FROM run v WHERE v.generation = r.generation AND v.ending IN ('crashed', 'left-early'))
 GROUP BY r.worker_id, r.generation
