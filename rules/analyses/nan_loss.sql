-- id: nan-loss
-- title: the loss stopped being finite
-- class: nan
-- kind: loss
-- needs: step_marker
-- weight_db: 35
-- why: algorithms.md 5: a local loss names the worker whose onset is the earliest, if not all turn together and every other
-- task still printed a finite value at or after it (when all turn together and one task's log is missing, it is that one);
-- a reduced loss names nobody. A runaway before it says exploding; a

-- loss that is finite again later was a single bad value.
WITH bad AS (
  SELECT n.*, w.name FROM nan_onset n JOIN worker w ON w.id = n.worker_id WHERE n.finite_after = 0),
first AS (
  SELECT generation, min(onset_step) AS onset, min(step) AS step, count(*) AS turned, max(explodes) AS explodes,
         min(mode) AS mode, max(sure) AS sure FROM bad GROUP BY generation),
tasks AS (
  SELECT generation, count(*) AS n, sum(NOT has_log) AS without_log FROM run WHERE trains GROUP BY generation),
origin AS (
  SELECT b.generation, b.worker_id, b.name FROM bad b JOIN first f ON f.generation = b.generation AND b.step = f.step
   WHERE f.mode = 'local'
     AND (SELECT count(*) FROM bad c WHERE c.generation = b.generation AND c.step = f.step) < (SELECT n FROM tasks t WHERE t.generation = b.generation)
     AND NOT EXISTS (SELECT 1 FROM run r WHERE r.generation = b.generation AND r.trains
                       AND NOT EXISTS (SELECT 1 FROM bad c WHERE c.worker_id = r.worker_id AND c.generation = r.generation AND c.step = f.step)
                       AND NOT EXISTS (SELECT 1 FROM loss l WHERE l.worker_id = r.worker_id AND l.generation = r.generation
                                         AND l.loss_state = 'finite' AND l.step >= f.step))
  UNION ALL
  SELECT f.generation, r.worker_id, r.name FROM first f JOIN run r ON r.generation = f.generation AND r.trains AND NOT r.has_log
   WHERE f.mode = 'local' AND (SELECT without_log FROM tasks t WHERE t.generation = f.generation) = 1
     AND NOT EXISTS (SELECT 1 FROM run v WHERE v.generation = f.generation AND v.trains AND v.has_log
                       AND NOT EXISTS (SELECT 1 FROM bad c WHERE c.worker_id = v.worker_id AND c.generation = v.generation AND c.step = f.step)))
SELECT o.worker_id AS worker_id, f.generation,
       CASE WHEN f.explodes THEN f.onset
            WHEN o.worker_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM bad b WHERE b.worker_id = o.worker_id AND b.generation = f.generation) THEN f.step - 1
            ELSE min(f.step, coalesce((SELECT max(b.last_finite) + 1 FROM bad b WHERE b.generation = f.generation AND b.step = f.step), f.step)) END AS step_lo,
       f.step AS step_hi,
       CASE WHEN NOT f.sure OR (SELECT without_log FROM tasks t WHERE t.generation = f.generation) > 0 THEN 'supported' END AS confidence_cap,
       NULL AS weight_db,
       CASE WHEN o.worker_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM bad b WHERE b.worker_id = o.worker_id AND b.generation = f.generation)
              THEN 'the local losses of all tasks with a log turn non-finite together at step ' || f.step || '; only ' || o.name || ', whose log is missing, can have been first'
            WHEN o.worker_id IS NOT NULL THEN o.name || '''s own loss is not finite from step ' || f.step || ' on, its peers'' later'
            WHEN f.mode = 'local' THEN 'the losses of the tasks turn non-finite together at step ' || f.step
            ELSE 'the loss is not finite from step ' || f.step || ' on; it is reduced over the tasks, so the log cannot say whose value was first' END
         || CASE WHEN f.explodes THEN '; it ran away from step ' || f.onset || ' on' ELSE '' END AS summary,
       (SELECT json_group_array('marker:' || b.stream || ':' || b.seq) FROM (SELECT * FROM bad b2 WHERE b2.generation = f.generation
          ORDER BY b2.step, b2.worker_id LIMIT 6) b) AS evidence_event_ids,
       CASE WHEN f.explodes AND EXISTS (SELECT 1 FROM metric m WHERE m.tag LIKE '%lr%' OR m.tag LIKE '%learning_rate%') THEN 'learning-rate'
            WHEN f.explodes THEN 'exploding'
            WHEN EXISTS (SELECT 1 FROM run r JOIN bad b ON b.worker_id = r.worker_id AND b.generation = r.generation
                          WHERE r.generation = f.generation AND r.restored_step IS NOT NULL AND b.step = r.first_step) THEN 'corrupt-restore'
            WHEN o.worker_id IS NOT NULL THEN 'bad-data'
            WHEN EXISTS (SELECT 1 FROM checkpoint c WHERE c.step > f.step)
             AND NOT EXISTS (SELECT 1 FROM checkpoint c WHERE c.step > f.step AND c.health <> 'finite') THEN 'metric-only'
            ELSE 'unknown' END AS cause,
       CASE WHEN o.worker_id IS NULL THEN 'reduced' END AS group_key
  FROM first f LEFT JOIN origin o ON o.generation = f.generation
