-- id: exit-differs
-- title: its exit code is unlike its peers'
-- class: *
-- needs: exit_record
-- weight_db: 15
-- why: algorithms.md 4.6: an abnormal exit code or signal that no peer of the same generation has; a launcher's own kill
-- weighs nothing (G7).
SELECT x.worker_id, x.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       x.name || ' exited with ' || x.exit_code || ', unlike its peers' AS summary,
       json_array('exit:' || x.exit_id) AS evidence_event_ids
  FROM abnormal_exit x
 WHERE EXISTS (SELECT 1 FROM run v WHERE v.generation = x.generation AND v.worker_id <> x.worker_id AND v.exit_code IS NOT NULL)
   AND NOT EXISTS (SELECT 1 FROM run v WHERE v.generation = x.generation AND v.worker_id <> x.worker_id AND v.exit_code = x.exit_code)
