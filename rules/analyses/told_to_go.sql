-- id: told-to-go
-- title: a task was told to go while it was stepping
-- class: preempted
-- kind: told
-- needs: run
-- explains: coll-start-abort, coll-aborted-by, coord-unhealthy
-- weight_db: 30
-- why: algorithms.md 4.8: a termination notice while steps go on, before any launcher's deadline and any error of its own.
-- TensorFlow does not stop on it, so steps follow until the kill.
SELECT r.worker_id, r.generation, e.step_lo AS step_lo, max(coalesce(r.last_step + 1, e.step_hi), e.step_lo) AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' was told to terminate' || coalesce(' during step ' || e.step_lo, '') || coalesce(' and went on to step ' || r.last_step, '') AS summary,
       json_array(e.id) AS evidence_event_ids
  FROM run r JOIN event e ON e.id = r.terminal_event_id
 WHERE r.ending = 'told-to-go'
UNION ALL
SELECT NULL, max(r.generation), NULL, NULL, NULL, 40, 'the scheduler preempted the job', json_group_array(DISTINCT 'exit:' || x.id)
  FROM exit_record x JOIN run r WHERE x.what = 'preempted' AND x.task IS NULL HAVING count(*) > 0
UNION ALL
SELECT r.worker_id, r.generation, NULL, NULL, NULL, 40, 'the orchestrator took ' || r.name || coalesce(': ' || x.reason, ''), json_array('exit:' || min(x.id))
  FROM exit_record x JOIN run r ON r.name = x.task
 WHERE x.what = 'preempted' AND r.ending <> 'finished' AND r.generation = (SELECT max(generation) FROM step_state)
 GROUP BY r.worker_id
