-- id: waits-for-leaver
-- title: a task that starts again waits for tasks that had finished
-- class: diverged-control-flow
-- cause: early-exit
-- kind: left-before
-- needs: accusation
-- explains: session-waiting-worker
-- weight_db: 25
-- why: a session needs every task of the cluster: those that ended when their own work was done are named by whoever comes
-- later. They exited 0; the waiter is the victim.
SELECT a.accused_worker_id AS worker_id, a.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       w.name || ' had left when its own work was done; ' || coalesce(b.name, 'a task') || ' started again and waits for its session' AS summary,
       json_array(min(a.event_id)) AS evidence_event_ids, 'leavers' AS group_key
  FROM accusation a JOIN worker w ON w.id = a.accused_worker_id LEFT JOIN worker b ON b.id = a.by_worker_id
       JOIN event e ON e.id = a.event_id AND e.signature_id = 'session-waiting-worker'
 WHERE a.kind = 'connect-wait' AND a.void IN ('finished', 'excused')
   AND EXISTS (SELECT 1 FROM run r WHERE r.worker_id = a.by_worker_id AND r.generation = a.generation AND r.ending NOT IN ('finished', 'excused'))
 GROUP BY a.accused_worker_id, a.generation
