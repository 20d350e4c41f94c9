-- id: cut-log
-- title: a task ended by itself, but its last words are missing
-- class: undetermined
-- kind: ends-early
-- needs: run
-- weight_db: 25
-- why: algorithms.md 4.8: exit codes 1-127 mean the interpreter ended by itself; without its words the bundle cannot say
-- why. A task without any log that others name is the same.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, 'hypothesis' AS confidence_cap,
       CASE WHEN r.ending = 'cut' THEN 25 ELSE 5 END AS weight_db,
       r.name || CASE WHEN r.ending = 'cut' THEN ' exited with ' || r.exit_code || ', and the end of its log is missing'
                      ELSE ' is named by others, and its log is not in the bundle' END AS summary,
       (SELECT json_group_array(ref) FROM (
          SELECT 'exit:' || x.exit_id AS ref FROM abnormal_exit x WHERE x.worker_id = r.worker_id AND x.attempt = r.attempt
          UNION ALL SELECT 'event:' || a.event_id FROM accusation a
                     WHERE a.accused_worker_id = r.worker_id AND a.generation = r.generation AND a.void IS NULL)) AS evidence_event_ids
  FROM run r
 WHERE r.ending = 'cut'
    OR r.ending = 'absent' AND coalesce(r.exit_code, 0) NOT IN (134, 137, 139)
       AND EXISTS (SELECT 1 FROM accusation a WHERE a.accused_worker_id = r.worker_id AND a.generation = r.generation
                    AND a.void IS NULL AND a.kind <> 'connect-wait')
