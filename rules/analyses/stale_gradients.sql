-- id: stale-gradients
-- title: one task's updates come many global steps late
-- class: stale-gradients
-- needs: step_marker
-- param: factor 4 x staleness above this many times (tasks - 1) is an alarm
-- param: alarms 0.05 share of a task's updates that may be that late
-- param: worse 1.2 x how far the loss must have risen over its best to call it harmful
-- param: verdict_share 0.2 share a slow task can be the verdict above this loss of throughput
-- why: algorithms.md 1.7: the jump of the global step between two updates of one task, less its own, is how stale it was; alone it
-- is a remark. It is harmful when the loss suffers (+20 staleness, +15 loss). Without that a slow task is a straggler by what
-- the job's throughput loses. Staleness can be counted only where nearly every global step is printed by somebody.
WITH push AS (
  SELECT t.worker_id, m.stream, m.seq, m.step, m.loss, m.step - lag(m.step) OVER (PARTITION BY t.worker_id ORDER BY m.seq) AS jump
    FROM step_marker m JOIN stream t ON t.id = m.stream JOIN trainer r ON r.worker_id = t.worker_id
   WHERE m.generation = r.generation AND m.superseded = 0 AND EXISTS (SELECT 1 FROM step_state s WHERE s.generation = m.generation AND NOT s.synchronous)),
job AS (
  SELECT count(DISTINCT worker_id) AS tasks, count(DISTINCT step) * 1.0 / (max(step) - min(step) + 1) AS printed, count(*) AS pushes FROM push),
task AS (
  SELECT p.worker_id, count(*) AS pushes, count(*) * 1.0 / j.pushes AS share, median(p.jump - 1) AS staleness,
         avg(p.jump - 1 > :factor * (j.tasks - 1)) AS late, j.tasks
    FROM push p JOIN job j WHERE p.jump > 0 AND j.tasks >= 2 AND j.printed >= 0.8 GROUP BY p.worker_id),
quarter AS (SELECT step, loss, ntile(4) OVER (ORDER BY step) AS q FROM push WHERE loss IS NOT NULL),
trend AS (SELECT q, median(loss) AS loss FROM quarter GROUP BY q),
harm AS (
  SELECT (SELECT loss FROM trend WHERE q = 4) > :worse * (SELECT min(loss) FROM trend WHERE q < 4) AND (SELECT min(loss) FROM trend) > 0 AS yes),
found AS (
  SELECT t.*, (1 - t.share / (SELECT median(o.share) FROM task o WHERE o.worker_id <> t.worker_id)) / t.tasks AS cost
    FROM task t WHERE t.pushes >= 20 AND t.share < 0.5 / t.tasks AND t.late > :alarms)
SELECT f.worker_id, r.generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi, 'supported' AS confidence_cap,
       CASE WHEN h.yes OR f.cost > :verdict_share THEN v.weight ELSE 0 END AS weight_db,
       CASE v.kind WHEN 'staleness' THEN r.name || '''s updates come ' || CAST(f.staleness AS INTEGER) || ' global steps late (' || (f.tasks - 1)
                        || ' is normal for ' || f.tasks || ' equal tasks); it makes ' || CAST(round(100 * f.share) AS INTEGER) || ' % of the updates'
                   WHEN h.yes THEN 'the loss rose again while those updates were applied'
                   ELSE 'the job loses ' || CAST(round(100 * f.cost) AS INTEGER) || ' % of its throughput by it; the loss does not suffer' END AS summary,
       (SELECT json_group_array('marker:' || stream || ':' || seq) FROM (SELECT p.stream, p.seq FROM push p WHERE p.worker_id = f.worker_id ORDER BY p.seq DESC LIMIT 3)) AS evidence_event_ids,
       v.kind AS kind, CASE WHEN h.yes THEN 'stale-gradients' ELSE 'straggler' END AS class, CASE WHEN h.yes THEN NULL ELSE 'unknown' END AS cause
  FROM found f JOIN trainer r ON r.worker_id = f.worker_id JOIN harm h JOIN (SELECT 20 AS weight, 'staleness' AS kind UNION ALL SELECT 15, 'harm') v
       JOIN frontier
