-- id: cancelled
-- title: a person or a controller cancelled the job
-- class: cancelled
-- needs: exit_record
-- weight_db: 30
-- why: algorithms.md 4.6: a cancel line, explained (G2) by any abnormal exit that is no kill, and by a time limit or a
-- preemption that cancelled in its own name.
SELECT NULL AS worker_id, max(s.generation) AS generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the job was cancelled' AS summary, json_group_array(DISTINCT 'exit:' || x.id) AS evidence_event_ids
  FROM exit_record x JOIN step_state s
 WHERE x.what = 'cancelled'
   AND NOT EXISTS (SELECT 1 FROM exit_record o WHERE o.what IN ('time-limit', 'preempted', 'oom', 'node-fail', 'evicted'))
   AND NOT EXISTS (SELECT 1 FROM exit_record o WHERE o.what = 'exited' AND o.exit_code NOT IN (0, 137, 143))
HAVING count(*) > 0
