-- id: nan-passing
-- title: one task's loss was not finite and is finite again
-- class: nan
-- cause: metric-only
-- kind: loss
-- needs: loss_span
-- weight_db: 20
-- why: algorithms.md 5.1: with synchronous updates a loss that is really not finite spoils every weight, so one that is finite in the
-- next steps was a displayed value, or its update was skipped. It is the verdict only of a job that came to its end, when the loss
-- is the task's own and its peers' were finite in that step; else it is a remark (nan-passing-note). A loss scale that fell
-- there skipped the update as it should: a remark again.
SELECT p.worker_id AS worker_id, p.generation, p.step AS step_lo, p.step AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       p.name || '''s own loss is ' || p.state || ' at step ' || p.step || ', its peers'' are finite there, and later its own is finite again' AS summary,
       json_array(p.ref) AS evidence_event_ids
  FROM nan_passing p
 WHERE p.alone AND p.finished AND p.skipped IS NULL
