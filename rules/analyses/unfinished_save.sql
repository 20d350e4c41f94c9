-- id: unfinished-save
-- title: the job stands still, and the save of its last step never ended
-- class: hang-checkpoint
-- needs: checkpoint
-- weight_db: 15
-- why: algorithms.md 4.3 d and 8.2: temporary parts of a save, or data without an index, of the step at which the whole job
-- hung point at a task that sits in checkpoint I/O: the one that saved before. A pointer, not proof: a save may have begun just
-- before another fault, so without stacks it is a hypothesis.
WITH hung AS (
  SELECT s.generation, s.frontier FROM step_state s
   WHERE s.generation = (SELECT max(generation) FROM step_state) AND s.frontier IS NOT NULL
     AND EXISTS (SELECT 1 FROM run r WHERE r.generation = s.generation AND r.ending = 'cleaned-up')
     AND NOT EXISTS (SELECT 1 FROM run r WHERE r.generation = s.generation AND r.trains AND r.ending NOT IN ('cleaned-up', 'absent'))),
saver AS (SELECT min(e.worker_id) AS worker_id FROM event e WHERE e.signature_id IN ('ckpt-saved', 'ckpt-save-begin') AND e.worker_id IS NOT NULL HAVING count(DISTINCT e.worker_id) = 1)
SELECT s.worker_id, h.generation, c.step AS step_lo, c.step + 1 AS step_hi, 'hypothesis' AS confidence_cap, NULL AS weight_db,
       'the save of step ' || c.step || ' (' || c.prefix || ') was begun and never completed, and no task came further than step ' || h.frontier AS summary,
       json_array('checkpoint:' || c.id) AS evidence_event_ids
  FROM hung h JOIN checkpoint c ON c.completeness IN ('temp-only', 'data-no-index') AND c.step BETWEEN h.frontier AND h.frontier + 1
       JOIN saver s
 ORDER BY c.id LIMIT 1
