-- id: collective-frontier
-- title: one task did not enter the collective the others are in
-- class: *
-- kind: not-entered
-- needs: event
-- weight_db: 40
-- why: algorithms.md 4.2, D2 and D3, with evidence per collective: all but one task entered the last collective, so the one
-- waits for nobody and is where to look; the counters do not say what it does instead, so without another word about it the
-- verdict stays open. When all entered the same one and none came out, it is the fabric or its library (D3, class f).
WITH entered AS (
  SELECT e.generation, e.worker_id, e.id, k.value AS n, row_number() OVER (PARTITION BY e.generation, e.worker_id ORDER BY e.seq DESC) AS place
    FROM event e JOIN event_capture k ON k.event_id = e.id AND k.name = 'n'
   WHERE e.signature_id = 'nccl-opcount' AND e.worker_id IS NOT NULL),
-- counters are hexadecimal without leading zeros: the longer is the greater
last AS (SELECT generation, worker_id, id, n, length(n) * 1000 AS digits FROM entered WHERE place = 1),
front AS (
  SELECT generation, n FROM (
    SELECT l.*, row_number() OVER (PARTITION BY generation ORDER BY digits DESC, n DESC) AS place FROM last l) WHERE place = 1),
hung AS (
  SELECT generation, count(*) AS tasks FROM run WHERE trains AND has_log GROUP BY generation
  HAVING sum(ending NOT IN ('cleaned-up', 'silent', 'unknown', 'victim')) = 0),
counted AS (
  SELECT l.generation, count(*) AS tasks, sum(l.n = f.n) AS inside FROM last l JOIN front f ON f.generation = l.generation GROUP BY l.generation)
SELECT l.worker_id, l.generation, NULL AS step_lo, NULL AS step_hi, 'hypothesis' AS confidence_cap, NULL AS weight_db,
       r.name || ' entered collective ' || l.n || ' last, all ' || c.inside || ' others are in ' || f.n AS summary,
       json_array(l.id, (SELECT min(x.id) FROM last x WHERE x.generation = l.generation AND x.n = f.n)) AS evidence_event_ids,
       d.class, NULL AS cause
  FROM last l JOIN front f ON f.generation = l.generation AND f.n <> l.n JOIN counted c ON c.generation = l.generation AND c.inside = c.tasks - 1 AND c.inside >= 2
       JOIN hung h ON h.generation = l.generation AND h.tasks = c.tasks JOIN run r ON r.worker_id = l.worker_id AND r.generation = l.generation
       JOIN (SELECT 'undetermined' AS class UNION ALL SELECT NULL) d
UNION ALL
SELECT NULL, c.generation, NULL, NULL, 'supported', 25,
       'all ' || c.tasks || ' tasks entered collective ' || f.n || ' and none came out of it',
       (SELECT json_array(min(x.id), max(x.id)) FROM last x WHERE x.generation = c.generation), 'collective-fabric', 'nccl'
  FROM counted c JOIN front f ON f.generation = c.generation JOIN hung h ON h.generation = c.generation AND h.tasks = c.tasks
 WHERE c.inside = c.tasks AND c.tasks >= 2
   AND NOT EXISTS (SELECT 1 FROM stack_owner) AND NOT EXISTS (SELECT 1 FROM process_state p WHERE p.state GLOB 'T*' OR p.state GLOB 'D*')
