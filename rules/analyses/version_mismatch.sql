-- id: version-mismatch
-- title: the tasks run different versions
-- class: version-mismatch
-- kind: versions
-- needs: run
-- weight_db: 20
-- why: algorithms.md 11: a root only if a symptom fits: an error of that component on some task before a first step (+20), or all
-- tasks connected, none completed a step and none wrote an error until the launcher ended them (+20). Otherwise a remark. The
-- minority is named; between two tasks the one that differs from the leader, capped.
WITH component_of(package, component) AS (VALUES
  ('tensorflow', 'tensorflow'), ('tensorflow-cpu', 'tensorflow'), ('tensorflow-gpu', 'tensorflow'), ('keras', 'keras'), ('tf-keras', 'keras'),
  ('python', 'python'), ('nvidia-cudnn-cu11', 'cudnn'), ('nvidia-cudnn-cu12', 'cudnn'), ('nvidia-nccl-cu11', 'nccl'), ('nvidia-nccl-cu12', 'nccl'),
  ('nvidia-cuda-runtime-cu11', 'cuda'), ('nvidia-cuda-runtime-cu12', 'cuda')),
symptom_of(component, signature_id) AS (VALUES
  ('tensorflow', 'op-not-registered'), ('tensorflow', 'no-kernel'), ('tensorflow', 'parse-proto'), ('tensorflow', 'parse-missing'), ('tensorflow', 'protobuf'),
  ('keras', 'keras-layers'), ('keras', 'keras-not-found'), ('keras', 'keras3'), ('keras', 'keras-zip'), ('keras', 'h5-missing'), ('keras', 'keras-variables'),
  ('python', 'pickle-trunc'), ('python', 'module-missing'), ('python', 'numpy-abi'),
  ('cudnn', 'cudnn-mismatch'), ('cudnn', 'cudnn-no-handle'), ('cudnn', 'cudnn-no-handle-env'), ('cudnn', 'cudnn-exec'),
  ('nccl', 'nccl-version-mismatch'), ('nccl', 'nccl-old-lib'), ('nccl', 'nccl-internal'), ('nccl', 'nccl-invalid-usage'),
  ('cuda', 'no-kernel-image'), ('cuda', 'ptx-unsupported'), ('cuda', 'glibc-abi'), ('cuda', 'dlopen-lib'),
  ('driver', 'driver-insufficient'), ('driver', 'driver-kernel-mismatch'), ('driver', 'nvml-mismatch'), ('driver', 'ptx-unsupported')),
found AS (
  SELECT w.id AS worker_id, c.component, n.version, 'environment:' || n.source_id || ':' || n.component AS ref
    FROM environment n JOIN component_of c ON c.package = n.component JOIN worker w ON w.name = n.owner AND w.instance = 0
  UNION ALL
  SELECT DISTINCT w.id, 'driver', g.driver, 'gpu:' || min(g.id) OVER (PARTITION BY w.id, g.driver)
    FROM gpu_sample g JOIN worker w ON w.instance = 0 AND w.name = g.owner WHERE g.driver IS NOT NULL
  UNION ALL
  SELECT DISTINCT e.worker_id, CASE e.signature_id WHEN 'nccl-version' THEN 'nccl' ELSE 'cudnn' END, k.value, 'event:' || min(e.id) OVER (PARTITION BY e.worker_id, e.signature_id, k.value)
    FROM event e JOIN event_capture k ON k.event_id = e.id AND k.name = 'version'
   WHERE e.signature_id IN ('nccl-version', 'cudnn-loaded') AND e.worker_id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM environment n JOIN component_of c ON c.package = n.component AND c.component = CASE e.signature_id WHEN 'nccl-version' THEN 'nccl' ELSE 'cudnn' END)),
version_of AS (
  SELECT f.component, f.worker_id, w.name, w.leader, min(f.version) AS version, min(f.ref) AS ref
    FROM found f JOIN worker w ON w.id = f.worker_id GROUP BY f.component, f.worker_id),
counted AS (SELECT component, count(*) AS tasks FROM version_of GROUP BY component HAVING count(DISTINCT version) > 1),
votes AS (
  SELECT v.component, v.version, count(*) AS n, max(v.leader) AS leads, c.tasks FROM version_of v JOIN counted c ON c.component = v.component GROUP BY v.component, v.version),
reference AS (
  SELECT component, version FROM (
    SELECT v.*, row_number() OVER (PARTITION BY component ORDER BY n * 2 > tasks DESC, leads DESC, n DESC, version) AS place FROM votes v) WHERE place = 1),
last AS (SELECT generation, frontier FROM step_state ORDER BY generation DESC LIMIT 1),
-- Steps that are not there tell something only where they would be.
unmoved AS (
  SELECT generation FROM last l
   WHERE l.frontier IS NULL AND NOT EXISTS (SELECT 1 FROM unowned_steps)
     AND EXISTS (SELECT 1 FROM run r WHERE r.generation = l.generation AND r.trains AND r.has_log)),
stuck AS (
  SELECT 1 FROM unmoved l
   WHERE NOT EXISTS (SELECT 1 FROM run r WHERE r.generation = l.generation AND r.trains AND r.has_log AND r.ending NOT IN ('cleaned-up', 'silent', 'victim'))
     AND NOT EXISTS (SELECT 1 FROM accusation a WHERE a.kind = 'connect-wait' AND a.generation = l.generation)),
symptom AS (
  SELECT s.component, min(e.id) AS event_id FROM symptom_of s JOIN event e ON e.signature_id = s.signature_id
   WHERE e.outcome <> 'progressed_after' AND EXISTS (SELECT 1 FROM unmoved) GROUP BY s.component),
judged AS (
  SELECT o.*, f.version AS expected, c.tasks, y.event_id,
         CASE WHEN y.event_id IS NOT NULL THEN 'its error fits' WHEN o.component = 'tensorflow' AND EXISTS (SELECT 1 FROM stuck) THEN 'all connected and nobody completed a first step' END AS fits
    FROM version_of o JOIN counted c ON c.component = o.component JOIN reference f ON f.component = o.component AND f.version <> o.version
         LEFT JOIN symptom y ON y.component = o.component)
SELECT j.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi,
       CASE WHEN j.tasks = 2 THEN 'supported' END AS confidence_cap,
       CASE WHEN j.fits IS NULL THEN 0 ELSE v.weight END AS weight_db,
       j.name || ' runs ' || CASE j.component WHEN 'tensorflow' THEN 'TensorFlow' WHEN 'keras' THEN 'Keras' WHEN 'python' THEN 'Python' WHEN 'cudnn' THEN 'cuDNN' WHEN 'nccl' THEN 'NCCL'
         WHEN 'cuda' THEN 'CUDA' ELSE 'the driver' END || ' ' || j.version || ', its peers ' || j.expected || coalesce('; ' || j.fits, '') AS summary,
       (SELECT json_group_array(ref) FROM (SELECT ref FROM (SELECT p.ref FROM version_of p WHERE p.component = j.component ORDER BY p.worker_id LIMIT 12)
                                           UNION ALL SELECT 'event:' || j.event_id WHERE j.event_id IS NOT NULL)) AS evidence_event_ids,
       j.component AS cause, v.kind AS kind
  FROM judged j JOIN run r ON r.worker_id = j.worker_id AND r.generation = (SELECT generation FROM last)
       JOIN (SELECT 20 AS weight, 'versions' AS kind UNION ALL SELECT 20, 'no-first-step') v
