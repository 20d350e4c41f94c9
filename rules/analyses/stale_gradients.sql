-- id: stale-gradients
-- title: one task's updates come many global steps late
-- class: stale-gradients
-- needs: async_worker
-- param: steps 20 updates how many the usual task must have made
-- param: own 8 updates how many the slow task must have made: fewer gaps tell nothing of the usual one
-- param: part 0.5 share a task is slow when it makes less than this part of an equal share
-- param: alarms 0.05 share of a task's updates that may be late
-- param: worse 1.2 x how far the loss must have risen over its best to call it harmful
-- param: verdict_share 0.2 share a slow task can be the verdict above this loss of throughput
-- why: algorithms.md 1.7: the jump of the global step between two updates of one task, less its own, is how stale it was; more
-- than four times what equal tasks have is late (async_worker). Alone it is a remark. It is harmful when the loss suffers (+20
-- staleness, +15 loss). Without that a slow task is a straggler by what the job's throughput loses. Staleness can be counted
-- only where nearly every global step is printed by somebody; a task that stopped before the end is not slow but gone.
WITH job AS (
  SELECT generation, count(*) AS tasks, median(pushes) AS pushes, median(share) AS share FROM async_worker GROUP BY generation),
-- The usual task is the median of the others; among many one more or less does not move it.
task AS (
  SELECT a.*, j.tasks,
         CASE WHEN j.tasks > 32 THEN j.pushes ELSE (
           SELECT median(o.pushes) FROM async_worker o WHERE o.generation = a.generation AND o.worker_id <> a.worker_id) END AS usual_pushes,
         CASE WHEN j.tasks > 32 THEN j.share ELSE (
           SELECT median(o.share) FROM async_worker o WHERE o.generation = a.generation AND o.worker_id <> a.worker_id) END AS usual_share
    FROM async_worker a JOIN job j ON j.generation = a.generation
   WHERE a.generation = (SELECT max(generation) FROM step_state) AND a.share IS NOT NULL),
quarter AS (
  SELECT m.loss, ntile(4) OVER (ORDER BY m.step) AS q FROM step_marker m JOIN stream t ON t.id = m.stream JOIN task a ON a.worker_id = t.worker_id
   WHERE m.generation = a.generation AND m.superseded = 0 AND m.loss IS NOT NULL),
trend AS (SELECT q, median(loss) AS loss FROM quarter GROUP BY q),
harm AS (
  SELECT coalesce((SELECT loss FROM trend WHERE q = 4) > :worse * (SELECT min(loss) FROM trend WHERE q < 4) AND (SELECT min(loss) FROM trend) > 0, 0) AS yes),
found AS (
  SELECT t.*, (1 - t.share / t.usual_share) / t.tasks AS cost
    FROM task t JOIN run r ON r.worker_id = t.worker_id AND r.generation = t.generation JOIN frontier
   WHERE t.tasks >= 2 AND t.pushes >= :own AND t.usual_pushes >= :steps AND t.share < :part / t.tasks AND t.stale_share > :alarms
     AND r.last_step >= frontier.step - 3 * (t.staleness + 1))
SELECT f.worker_id, f.generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi, 'supported' AS confidence_cap,
       CASE WHEN h.yes OR f.cost > :verdict_share THEN v.weight ELSE 0 END AS weight_db,
       CASE v.kind WHEN 'staleness' THEN r.name || '''s updates come ' || CAST(f.staleness AS INTEGER) || ' global steps late (' || (f.tasks - 1)
                        || ' is normal for ' || f.tasks || ' equal tasks); it makes ' || CAST(round(100 * f.share) AS INTEGER) || ' % of the updates'
                   WHEN h.yes THEN 'the loss rose again while those updates were applied'
                   ELSE 'the job loses ' || CAST(round(100 * f.cost) AS INTEGER) || ' % of its throughput by it; the loss does not suffer' END AS summary,
       (SELECT json_group_array('marker:' || stream || ':' || seq) FROM (
          SELECT m.stream, m.seq FROM step_marker m JOIN stream t ON t.id = m.stream
           WHERE t.worker_id = f.worker_id AND m.generation = f.generation AND m.superseded = 0 ORDER BY m.seq DESC LIMIT 3)) AS evidence_event_ids,
       v.kind AS kind, CASE WHEN h.yes THEN 'stale-gradients' ELSE 'straggler' END AS class, CASE WHEN h.yes THEN NULL ELSE 'unknown' END AS cause
  FROM found f JOIN trainer r ON r.worker_id = f.worker_id JOIN harm h JOIN (SELECT 20 AS weight, 'staleness' AS kind UNION ALL SELECT 15, 'harm') v
       JOIN frontier
