-- id: connect-wait
-- title: the others wait for it
-- class: *
-- needs: event
-- weight_db: 20
-- why: algorithms.md 4.2 D0: the waiting list is the symptom of the missing task's own fault (+20).
SELECT a.accused_worker_id AS worker_id, a.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the leader waits for ' || w.name || ' to connect' AS summary, json_array(min(a.event_id)) AS evidence_event_ids
  FROM accusation a JOIN worker w ON w.id = a.accused_worker_id
 WHERE a.kind = 'connect-wait' AND a.void IS NULL
 GROUP BY a.accused_worker_id, a.generation
