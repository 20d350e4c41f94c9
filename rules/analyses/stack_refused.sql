-- id: stack-refused
-- title: the stack tool could not stop the process
-- class: hang-frozen
-- kind: stack-refused
-- needs: stack
-- weight_db: 10
-- why: algorithms.md 4.4: a frozen process cannot be sampled; the failure is evidence.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the stack tool could not sample ' || r.name || ': ' || k.failed AS summary, json_array('stack:' || k.id) AS evidence_event_ids
  FROM stack k JOIN stack_owner o ON o.stack_id = k.id JOIN run r ON r.worker_id = o.worker_id
 WHERE k.failed IS NOT NULL AND r.generation = (SELECT max(generation) FROM step_state) AND r.ending NOT IN ('finished', 'excused')
