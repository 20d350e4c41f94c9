-- id: version-mismatch
-- title: the tasks run different versions
-- class: version-mismatch
-- kind: versions
-- needs: environment
-- weight_db: 20
-- why: algorithms.md 11: a root only if all tasks connected, none completed a step and none wrote an error until the launcher
-- ended them (+20 versions, +20 no first step). Otherwise a remark. The minority is named; between two tasks the one that
-- differs from the leader, capped.
WITH version_of AS (
  SELECT w.id AS worker_id, w.name, w.leader, n.component, n.version, n.source_id FROM environment n JOIN worker w ON w.name = n.owner AND w.instance = 0
   WHERE n.component IN ('tensorflow', 'tensorflow-cpu', 'tf-keras', 'keras', 'numpy') AND n.component LIKE 'tensorflow%'),
votes AS (SELECT version, count(*) AS n FROM version_of GROUP BY version),
reference AS (
  SELECT version FROM votes v
   ORDER BY n * 2 > (SELECT count(*) FROM version_of) DESC, EXISTS (SELECT 1 FROM version_of o WHERE o.version = v.version AND o.leader) DESC, n DESC, version LIMIT 1),
stuck AS (
  SELECT s.generation FROM step_state s
   WHERE s.frontier IS NULL AND s.generation = (SELECT max(generation) FROM step_state)
     AND NOT EXISTS (SELECT 1 FROM run r WHERE r.generation = s.generation AND r.trains AND r.has_log AND r.ending NOT IN ('cleaned-up', 'silent', 'victim'))
     AND NOT EXISTS (SELECT 1 FROM accusation a WHERE a.kind = 'connect-wait' AND a.generation = s.generation))
SELECT o.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi,
       CASE WHEN (SELECT count(*) FROM version_of) = 2 THEN 'supported' END AS confidence_cap,
       CASE WHEN EXISTS (SELECT 1 FROM stuck) THEN v.weight ELSE 0 END AS weight_db,
       o.name || ' runs TensorFlow ' || o.version || ', its peers ' || f.version
         || CASE WHEN EXISTS (SELECT 1 FROM stuck) THEN '; all connected and nobody completed a first step' ELSE '' END AS summary,
       (SELECT json_group_array('environment:' || p.source_id || ':' || p.component) FROM version_of p) AS evidence_event_ids,
       'tensorflow' AS cause, v.kind AS kind
  FROM version_of o JOIN reference f ON o.version <> f.version
       JOIN run r ON r.worker_id = o.worker_id AND r.generation = (SELECT max(generation) FROM step_state)
       JOIN (SELECT 20 AS weight, 'versions' AS kind UNION ALL SELECT 20, 'no-first-step') v
