-- id: replica-metric
-- title: tasks report different values of one reduced metric
-- class: replica-divergence
-- cause: unknown
-- kind: reduced-metric
-- needs: loss_span
-- weight_db: 30
-- param: equal_steps 10 steps how long the tasks must have agreed, so that the metric is a reduced one
-- param: rounding 0.000001 share values closer than this differ by single precision only
-- param: apart_steps 5 steps how many of the steps after the first difference must be known
-- why: algorithms.md 8.5: a metric that is reduced over the tasks is one number. Tasks that agreed for ten steps or more and from
-- one step on do not, in four of five steps, no longer compute the same thing; the minority is named, two tasks or no majority
-- name nobody. Printed values are rounded, so they are compared among themselves alone. A local loss differs from its first
-- step on, and asynchronous training has no common step. A mean that one task began anew looks alike, so without weights the
-- word is capped.
WITH known AS (
  SELECT l.generation, 'printed loss' AS name, l.worker_id, l.step, l.loss AS value, 'marker:' || l.stream || ':' || l.seq AS ref
    FROM loss l JOIN step_state s ON s.generation = l.generation JOIN worker w ON w.id = l.worker_id
   WHERE s.synchronous AND s.unit = 'step' AND l.loss_state = 'finite' AND (w.type IS NULL OR w.type NOT IN ('ps', 'evaluator'))
  UNION ALL
  SELECT e.generation, m.tag, e.worker_id, m.step, m.value, 'metric:' || m.source_id || ':' || m.seq || ':' || m.tag
    FROM metric m JOIN event_file e ON e.source_id = m.source_id JOIN step_state s ON s.generation = e.generation
    JOIN worker w ON w.id = e.worker_id
   WHERE s.synchronous AND e.worker_id IS NOT NULL AND m.superseded = 0 AND m.state = 'finite'
     AND (m.tag LIKE '%loss%' OR m.tag LIKE '%acc%' OR m.tag LIKE '%norm%') AND m.tag NOT LIKE '%val%'
     AND (w.type IS NULL OR w.type NOT IN ('ps', 'evaluator'))),
steps AS (
  SELECT generation, name, step, count(DISTINCT worker_id) AS tasks, max(value) - min(value) > :rounding * max(abs(min(value)), abs(max(value))) AS apart, max(value) AS value
    FROM known GROUP BY generation, name, step HAVING count(DISTINCT worker_id) >= 2),
first AS (
  SELECT generation, name, min(CASE WHEN apart THEN step END) AS step FROM steps GROUP BY generation, name),
split AS (
  SELECT f.generation, f.name, f.step FROM first f
   WHERE f.step IS NOT NULL
     AND (SELECT count(*) FROM steps s WHERE s.generation = f.generation AND s.name = f.name AND s.step < f.step) >= :equal_steps
     -- an untrained model's loss is the same on all data
     AND (SELECT count(DISTINCT s.value) FROM steps s WHERE s.generation = f.generation AND s.name = f.name AND s.step < f.step) * 2 >= :equal_steps
     AND (SELECT count(*) >= :apart_steps AND sum(s.apart) * 5 >= count(*) * 4 FROM steps s
           WHERE s.generation = f.generation AND s.name = f.name AND s.step >= f.step)),
votes AS (
  SELECT k.generation, k.name, k.value, count(DISTINCT k.worker_id) AS n
    FROM known k JOIN split p ON p.generation = k.generation AND p.name = k.name AND p.step = k.step
   GROUP BY k.generation, k.name, k.value),
majority AS (
  SELECT v.generation, v.name, v.value FROM votes v
   WHERE v.n * 2 > (SELECT sum(o.n) FROM votes o WHERE o.generation = v.generation AND o.name = v.name)),
odd AS (
  SELECT k.generation, k.name, k.worker_id, k.step, k.value, k.ref, m.value AS usual
    FROM known k JOIN split p ON p.generation = k.generation AND p.name = k.name AND p.step = k.step
    JOIN majority m ON m.generation = k.generation AND m.name = k.name
   WHERE k.value <> m.value),
usual AS (
  SELECT k.generation, k.name, min(k.ref) AS ref
    FROM known k JOIN split p ON p.generation = k.generation AND p.name = k.name AND p.step = k.step
    JOIN majority m ON m.generation = k.generation AND m.name = k.name AND m.value = k.value
   GROUP BY k.generation, k.name)
SELECT o.worker_id, o.generation, o.step AS step_lo, o.step AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       w.name || ' reports ' || o.name || ' ' || o.value || ' at step ' || o.step || ', the others ' || o.usual
         || '; they had agreed until then, as a reduced value must' AS summary,
       json_array(o.ref, u.ref) AS evidence_event_ids, 'weights' AS group_key
  FROM odd o JOIN worker w ON w.id = o.worker_id JOIN usual u ON u.generation = o.generation AND u.name = o.name
UNION ALL
SELECT NULL, p.generation, p.step, p.step, 'supported', NULL,
       'the tasks report different values of ' || p.name || ' from step ' || p.step || ' on and had agreed until then; no majority tells whose is right',
       (SELECT json_group_array(ref) FROM (SELECT k.ref FROM known k WHERE k.generation = p.generation AND k.name = p.name AND k.step = p.step ORDER BY k.worker_id LIMIT 4)),
       'weights'
  FROM split p WHERE NOT EXISTS (SELECT 1 FROM majority m WHERE m.generation = p.generation AND m.name = p.name)
