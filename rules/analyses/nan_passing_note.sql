-- id: nan-passing-note
-- title: a loss was not finite for a while
-- class: note
-- kind: loss
-- needs: loss_span
-- weight_db: 0
-- why: algorithms.md 5.1: the update was skipped, or only the displayed value was wrong. Which of them, and whether it has to do with a
-- failure elsewhere, these values do not say; the reader shall know of them. What is a finding by itself is nan-passing's.
WITH seen AS (
  SELECT p.*, row_number() OVER (PARTITION BY p.generation ORDER BY p.step, p.worker_id) AS nth, count(*) OVER (PARTITION BY p.generation) AS tasks
    FROM nan_passing p WHERE p.sure AND NOT (p.alone AND p.finished AND p.skipped IS NULL))
SELECT CASE WHEN s.tasks = 1 THEN s.worker_id END AS worker_id, s.generation, s.step AS step_lo, s.step AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the loss of ' || CASE WHEN s.tasks = 1 THEN s.name ELSE s.tasks || ' tasks' END || ' is not finite at step ' || s.step
         || ' and finite again later' || coalesce('; ' || s.skipped, ': its update was skipped, or only the displayed value was wrong') AS summary,
       (SELECT json_group_array(ref) FROM (SELECT t.ref FROM seen t WHERE t.generation = s.generation ORDER BY t.step, t.worker_id LIMIT 4)) AS evidence_event_ids
  FROM seen s WHERE s.nth = 1
