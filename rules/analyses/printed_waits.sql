-- id: printed-waits
-- title: the step lines say how long tasks wait for data or for collectives
-- class: input-bound
-- needs: marker_time
-- param: high 0.2 share a wait must cost this much of the time between two steps
-- param: low 0.1 share a task whose wait costs less does not wait
-- param: least 10 steps so many must say it on each task
-- why: algorithms.md 10: a wait that the loop measures itself tells input from compute as a profile does (+25). On all tasks it
-- is input-bound; on one alone its peers wait for it in the collective: straggler (input). Of collectives only what the
-- quickest task needs is transfer, the rest is waiting for peers, so network-bound goes by the least of all tasks. A task whose
-- log is missing cannot be what the others' own input waits for; it could be the one that is slow in its collectives. A name
-- whose times exceed the steps' (a sum, a time to come) measures something else.
WITH named AS (
  SELECT worker_id, generation, part, name, median(us / period_us) AS share, count(*) AS steps, max(stream) AS stream, max(seq) AS seq
    FROM printed_time WHERE period_us > 0 GROUP BY worker_id, generation, part, name),
task AS (
  SELECT n.* FROM named n WHERE n.steps >= :least AND n.share <= 1.1
     AND n.name = (SELECT o.name FROM named o WHERE o.worker_id = n.worker_id AND o.part = n.part AND o.share <= 1.1 ORDER BY o.share DESC, o.name LIMIT 1)),
logs AS (SELECT count(DISTINCT t.worker_id) AS n FROM trainer t JOIN run r ON r.worker_id = t.worker_id AND r.generation = t.generation AND r.has_log),
seen AS (
  SELECT part, count(*) AS tasks, min(share) AS least, max(share) AS most, min(name) AS name FROM task GROUP BY part),
transfer AS (
  SELECT median(least) AS share
    FROM (SELECT min(p.us / p.period_us) AS least FROM printed_time p JOIN task t ON t.worker_id = p.worker_id AND t.name = p.name
           WHERE p.part = 'communication' AND p.period_us > 0
           GROUP BY p.step HAVING count(*) = (SELECT count(*) FROM trainer))),
found AS (
  SELECT NULL AS worker_id, 'input-bound' AS class, NULL AS cause,
         'every task waits for its input at least ' || CAST(round(100 * least) AS INTEGER) || ' % of the time, as its step lines say (' || name || ')' AS summary
    FROM seen WHERE part = 'input' AND least >= :high AND tasks = (SELECT n FROM logs)
  UNION ALL
  SELECT t.worker_id, 'straggler', 'input',
         r.name || ' waits for its input ' || CAST(round(100 * t.share) AS INTEGER) || ' % of the time, as its step lines say (' || t.name || '); its peers do not'
    FROM task t JOIN trainer r ON r.worker_id = t.worker_id
   WHERE t.part = 'input' AND t.share >= :high AND (SELECT tasks FROM seen WHERE part = 'input') = (SELECT count(*) FROM trainer)
     AND (SELECT count(*) FROM trainer) >= 2 AND EXISTS (SELECT 1 FROM step_state s WHERE s.generation = t.generation AND s.synchronous)
     AND NOT EXISTS (SELECT 1 FROM task o WHERE o.part = 'input' AND o.worker_id <> t.worker_id AND o.share >= :low)
  UNION ALL
  SELECT NULL, 'network-bound', NULL,
         'transferring takes at least ' || CAST(round(100 * share) AS INTEGER) || ' % of the time on every task, as the step lines say (' || (SELECT name FROM seen WHERE part = 'communication') || ')'
    FROM transfer WHERE share >= :high AND (SELECT count(*) FROM trainer) >= 2)
SELECT f.worker_id, (SELECT max(generation) FROM step_state) AS generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi,
       NULL AS confidence_cap, 25 AS weight_db, f.summary,
       (SELECT json_group_array('marker:' || stream || ':' || seq) FROM (
          SELECT t.stream, t.seq FROM task t
           WHERE t.part = CASE f.class WHEN 'network-bound' THEN 'communication' ELSE 'input' END AND (f.worker_id IS NULL OR f.worker_id = t.worker_id)
           ORDER BY t.worker_id LIMIT 3)) AS evidence_event_ids,
       'printed-wait' AS kind, f.class, f.cause, CASE WHEN f.worker_id IS NULL THEN f.class END AS group_key
  FROM found f JOIN frontier
