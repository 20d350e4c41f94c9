-- id: nan-loss
-- title: the loss stopped being finite
-- class: nan
-- kind: loss
-- needs: loss_span
-- weight_db: 35
-- why: algorithms.md 5.2 and 5.3: a local loss names the worker whose onset is the earliest, if not all turn together and
-- every other task's loss was still finite at or after it (when all turn together and one task's log is missing, it is that
-- one); a reduced loss names nobody. A loss that is finite again later was a single bad value. The cause is the first
-- that fits, of a loss scale that collapsed, weights that stayed finite, a rate that had just risen, a runaway, a bad restore, a
-- fault of the one replica's hardware, one task's data, the first batch.
WITH bad AS (
  SELECT n.*, w.name FROM nan_onset n JOIN worker w ON w.id = n.worker_id
   WHERE n.finite_after = 0 AND (w.type IS NULL OR w.type NOT IN ('ps', 'evaluator'))),
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
                       AND NOT EXISTS (SELECT 1 FROM loss_span l WHERE l.worker_id = r.worker_id AND l.generation = r.generation
                                         AND l.last_finite >= f.step))
  UNION ALL
  SELECT f.generation, r.worker_id, r.name FROM first f JOIN run r ON r.generation = f.generation AND r.trains AND NOT r.has_log
   WHERE f.mode = 'local' AND (SELECT without_log FROM tasks t WHERE t.generation = f.generation) = 1
     AND NOT EXISTS (SELECT 1 FROM run v WHERE v.generation = f.generation AND v.trains AND v.has_log
                       AND NOT EXISTS (SELECT 1 FROM bad c WHERE c.worker_id = v.worker_id AND c.generation = v.generation AND c.step = f.step))),
one AS (
  SELECT generation FROM origin GROUP BY generation HAVING count(*) = 1),
signs AS (
  SELECT generation, kind, min(text) AS text, max(ref) AS ref FROM nan_sign GROUP BY generation, kind),
-- Weights saved after the onset, all of them finite.
sound AS (
  SELECT f.generation, min(c.prefix) AS prefix, min(c.id) AS id, min(c.step) AS step
    FROM first f JOIN checkpoint c ON c.step > f.step
   WHERE f.generation = (SELECT max(generation) FROM step_state)
     AND NOT EXISTS (SELECT 1 FROM checkpoint d WHERE d.step > f.step AND d.health <> 'finite')
   GROUP BY f.generation),
-- What a generation restored: the weights of that step were already bad, or damaged.
spoilt AS (
  SELECT r.generation, min(c.id) AS id, min(c.prefix) AS prefix FROM run r JOIN checkpoint c ON c.step = r.restored_step
   WHERE c.health = 'nonfinite' OR c.integrity = 'crc-bad' GROUP BY r.generation),
resumed AS (
  SELECT f.generation, max(r.restored_step) AS step FROM first f JOIN run r ON r.generation = f.generation
    JOIN bad b ON b.generation = f.generation AND b.worker_id = r.worker_id AND b.step = f.step
   WHERE r.restored_step IS NOT NULL AND (b.step = r.first_step OR EXISTS (SELECT 1 FROM spoilt s WHERE s.generation = f.generation))
   GROUP BY f.generation),
-- The task's own GPU reported a fault that changes bits.
fault AS (
  SELECT o.generation, o.worker_id, min(e.id) AS event_id FROM origin o JOIN event e ON e.worker_id = o.worker_id AND e.generation = o.generation
    JOIN signature_rule g ON g.id = e.signature_id WHERE g.class = 'hardware-gpu' GROUP BY o.generation, o.worker_id),
-- The same step in two incarnations: the same data, or the same numbers.
again AS (
  SELECT f.generation FROM first f WHERE EXISTS (SELECT 1 FROM first g WHERE g.generation <> f.generation AND abs(g.step - f.step) <= 1)),
fresh AS (
  SELECT f.generation FROM first f WHERE NOT EXISTS (SELECT 1 FROM bad b WHERE b.generation = f.generation AND b.step = f.step AND b.last_finite IS NOT NULL)
     AND NOT EXISTS (SELECT 1 FROM run r WHERE r.generation = f.generation AND r.restored_step IS NOT NULL)
     AND f.step <= (SELECT min(r.first_step) FROM run r WHERE r.generation = f.generation)),
judged AS (
  SELECT f.*, CASE
      WHEN EXISTS (SELECT 1 FROM signs s WHERE s.generation = f.generation AND s.kind = 'scale-collapse') THEN 'fp16-overflow'
      WHEN EXISTS (SELECT 1 FROM signs s WHERE s.generation = f.generation AND s.kind = 'finite-validation')
        OR EXISTS (SELECT 1 FROM sound s WHERE s.generation = f.generation) THEN 'metric-only'
      WHEN EXISTS (SELECT 1 FROM signs s WHERE s.generation = f.generation AND s.kind IN ('rate-rise', 'warm-up'))
       AND (f.explodes OR EXISTS (SELECT 1 FROM signs s WHERE s.generation = f.generation AND s.kind = 'gradient-runaway')
            OR NOT EXISTS (SELECT 1 FROM one o WHERE o.generation = f.generation)) THEN 'learning-rate'
      WHEN f.explodes OR EXISTS (SELECT 1 FROM signs s WHERE s.generation = f.generation AND s.kind = 'gradient-runaway') THEN 'exploding'
      WHEN EXISTS (SELECT 1 FROM resumed r WHERE r.generation = f.generation) THEN 'corrupt-restore'
      WHEN EXISTS (SELECT 1 FROM fault x WHERE x.generation = f.generation) THEN 'hardware'
      WHEN EXISTS (SELECT 1 FROM one o WHERE o.generation = f.generation) OR EXISTS (SELECT 1 FROM again a WHERE a.generation = f.generation)
        OR EXISTS (SELECT 1 FROM fresh x WHERE x.generation = f.generation) THEN 'bad-data'
      ELSE 'unknown' END AS cause
    FROM first f),
-- The sentence that the cause stands on, and the place it stands at.
ground AS (
  SELECT j.generation, CASE
      WHEN j.cause = 'fp16-overflow' THEN (SELECT s.text FROM signs s WHERE s.generation = j.generation AND s.kind = 'scale-collapse')
      WHEN j.cause = 'metric-only' THEN coalesce((SELECT s.text FROM signs s WHERE s.generation = j.generation AND s.kind = 'finite-validation'),
            (SELECT 'all weights saved after it are finite, first those of ' || s.prefix FROM sound s WHERE s.generation = j.generation))
            || coalesce('; ' || (SELECT s.text FROM signs s WHERE s.generation = j.generation AND s.kind = 'impossible-fraction'), '')
            || ': the displayed value is wrong, not the training'
      WHEN j.cause = 'learning-rate' THEN (SELECT s.text FROM signs s WHERE s.generation = j.generation AND s.kind IN ('rate-rise', 'warm-up') ORDER BY s.kind LIMIT 1)
      WHEN j.cause = 'exploding' THEN (SELECT s.text FROM signs s WHERE s.generation = j.generation AND s.kind = 'gradient-runaway')
      WHEN j.cause = 'corrupt-restore' THEN coalesce((SELECT 'it came with ' || s.prefix || ', whose own values are bad' FROM spoilt s WHERE s.generation = j.generation),
            'it is the first step after restoring step ' || (SELECT r.step FROM resumed r WHERE r.generation = j.generation))
      WHEN j.cause = 'hardware' THEN 'the GPU of that task reported a fault'
      WHEN EXISTS (SELECT 1 FROM again a WHERE a.generation = j.generation) THEN 'it came back at the same step after a restart'
      WHEN EXISTS (SELECT 1 FROM fresh x WHERE x.generation = j.generation) THEN 'it is the very first step of new weights: look for missing values in the inputs' END AS text,
    CASE
      WHEN j.cause = 'fp16-overflow' THEN (SELECT s.ref FROM signs s WHERE s.generation = j.generation AND s.kind = 'scale-collapse')
      WHEN j.cause = 'metric-only' THEN coalesce((SELECT s.ref FROM signs s WHERE s.generation = j.generation AND s.kind = 'finite-validation'),
            (SELECT 'checkpoint:' || s.id FROM sound s WHERE s.generation = j.generation))
      WHEN j.cause = 'learning-rate' THEN (SELECT s.ref FROM signs s WHERE s.generation = j.generation AND s.kind IN ('rate-rise', 'warm-up') ORDER BY s.kind LIMIT 1)
      WHEN j.cause = 'exploding' THEN (SELECT s.ref FROM signs s WHERE s.generation = j.generation AND s.kind = 'gradient-runaway')
      WHEN j.cause = 'corrupt-restore' THEN (SELECT 'checkpoint:' || s.id FROM spoilt s WHERE s.generation = j.generation)
      WHEN j.cause = 'hardware' THEN (SELECT CAST(x.event_id AS TEXT) FROM fault x WHERE x.generation = j.generation) END AS ref
    FROM judged j)
SELECT o.worker_id AS worker_id, f.generation,
       CASE WHEN f.explodes THEN f.onset
            WHEN o.worker_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM bad b WHERE b.worker_id = o.worker_id AND b.generation = f.generation) THEN f.step - 1
            ELSE min(f.step, coalesce((SELECT max(b.last_finite) + 1 FROM bad b WHERE b.generation = f.generation AND b.step = f.step), f.step)) END AS step_lo,
       f.step AS step_hi,
       CASE WHEN NOT f.sure OR f.cause = 'hardware' OR (SELECT without_log FROM tasks t WHERE t.generation = f.generation) > 0
              OR f.cause = 'bad-data' AND o.worker_id IS NULL THEN 'supported' END AS confidence_cap,
       NULL AS weight_db,
       CASE WHEN o.worker_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM bad b WHERE b.worker_id = o.worker_id AND b.generation = f.generation)
              THEN 'the local losses of all tasks with a log turn non-finite together at step ' || f.step || '; only ' || o.name || ', whose log is missing, can have been first'
            WHEN o.worker_id IS NOT NULL THEN o.name || '''s own loss is not finite from step ' || f.step || ' on, its peers'' later'
            WHEN f.mode = 'local' THEN 'the losses of the tasks turn non-finite together at step ' || f.step
            WHEN f.mode = 'reduced' THEN 'the loss is not finite from step ' || f.step || ' on; it is reduced over the tasks, so the log cannot say whose value was first'
            ELSE 'the loss is not finite from step ' || f.step || ' on; nothing shows whose value was first' END
         || CASE WHEN f.explodes THEN '; it ran away from step ' || f.onset || ' on' ELSE '' END
         || coalesce('; ' || g.text, '') AS summary,
       (SELECT json_group_array(ref) FROM (
          SELECT ref FROM (SELECT b.ref FROM bad b WHERE b.generation = f.generation ORDER BY b.step, b.worker_id LIMIT 6)
          UNION ALL SELECT g.ref WHERE g.ref IS NOT NULL)) AS evidence_event_ids,
       f.cause,
       CASE WHEN o.worker_id IS NULL THEN 'reduced' END AS group_key
  FROM judged f LEFT JOIN origin o ON o.generation = f.generation LEFT JOIN ground g ON g.generation = f.generation
