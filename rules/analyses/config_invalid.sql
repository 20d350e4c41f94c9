-- id: config-invalid
-- title: a TF_CONFIG is wrong on its own
-- class: tf-config-invalid
-- kind: config
-- needs: tf_config
-- weight_db: 30
-- why: algorithms.md 11, rows 1, 4 to 10 and 12: not JSON, parts missing, an index outside its own list, a task type its cluster or its
-- strategy does not have, an address that cannot be called or stands twice, loopback addresses in a cluster of several
-- hosts, one host under two names (short and full, or of two families of addresses: a remark, for it may resolve). The process is named by its source; what it claims is in the summary. Of a task that stepped or finished it is a remark.
WITH address AS (
  SELECT k.cluster_id, k.task_type, k.task_index, k.address,
         CAST(substr(k.address, length(rtrim(k.address, '0123456789')) + 1) AS INTEGER) AS port,
         substr(k.address, 1, instr(k.address || ':', ':') - 1) AS host
    FROM cluster_address k),
bad_address AS (
  SELECT cluster_id, min(address) AS address FROM address
   WHERE address NOT GLOB '*:[0-9]*' OR address <> trim(address) OR address GLOB '*[ ''"@/]*' OR port NOT BETWEEN 1 AND 65535
   GROUP BY cluster_id),
twice AS (
  SELECT cluster_id, min(address) AS address FROM (
    SELECT cluster_id, address FROM address GROUP BY cluster_id, address HAVING count(*) > 1) GROUP BY cluster_id),
doubled AS (  -- row 12: one host written short here and in full there
  SELECT cluster_id, min(hosts) AS hosts
    FROM (SELECT cluster_id, min(host) || '" and "' || max(host) AS hosts FROM address WHERE host NOT GLOB '[0-9]*.[0-9]*'
           GROUP BY cluster_id, substr(host, 1, instr(host || '.', '.') - 1) HAVING count(DISTINCT host) > 1 AND min(instr(host, '.')) = 0)
   GROUP BY cluster_id),
families AS (  -- ... or IPv4 and IPv6 mixed
  SELECT cluster_id FROM address GROUP BY cluster_id
  HAVING max(address GLOB '[[]*') = 1 AND max(host GLOB '[0-9]*.[0-9]*.[0-9]*.[0-9]*') = 1),
counted AS (
  SELECT cluster_id, count(*) AS tasks, sum(task_type = 'ps') AS ps, sum(task_type = 'evaluator') AS evaluators,
         sum(task_type IN ('chief', 'master')) AS chiefs, sum(host IN ('localhost', '0.0.0.0') OR host GLOB '127.*') AS loopback
    FROM address GROUP BY cluster_id),
of_type AS (SELECT cluster_id, task_type, count(*) AS n FROM address GROUP BY cluster_id, task_type),
last AS (SELECT max(generation) AS generation FROM step_state),
far AS (  -- somebody's cluster is reached over a network
  SELECT task_type FROM address WHERE cluster_id IN (SELECT cluster_id FROM config_of) GROUP BY task_type, task_index
  HAVING max(host IN ('localhost', '0.0.0.0') OR host GLOB '127.*') = 1 AND min(host IN ('localhost', '0.0.0.0') OR host GLOB '127.*') = 0 LIMIT 1),
hosts AS (SELECT count(DISTINCT host) AS n FROM worker WHERE host IS NOT NULL),
judged AS (
  SELECT c.*, r.name, r.generation, r.ending, r.last_step, n.tasks, n.ps, n.evaluators, n.chiefs, n.loopback,
         b.address AS bad_address, d.address AS same_address, u.hosts AS two_names, f.cluster_id IS NOT NULL AS two_families,
         coalesce(y.n, 0) AS of_type,
         (SELECT k.address FROM address k JOIN worker o ON o.host = k.host AND o.name <> r.name
           WHERE k.cluster_id = c.cluster_id AND k.task_type = c.task_type AND k.task_index = c.task_index
             AND r.host IS NOT NULL AND k.host <> r.host AND coalesce(r.claims, r.name) = r.name
             AND (SELECT count(DISTINCT o.cluster_id) FROM config_of o WHERE o.cluster_id IS NOT NULL) = 1) AS other_host,
         EXISTS (SELECT 1 FROM event e WHERE e.worker_id = c.worker_id AND e.signature_id = 'mwms-config') AS mirrored,
         EXISTS (SELECT 1 FROM event e WHERE e.worker_id = c.worker_id AND e.signature_id = 'ps-strategy-init') AS with_ps
    FROM config_of c JOIN last l JOIN run r ON r.worker_id = c.worker_id AND r.generation = l.generation
         LEFT JOIN counted n ON n.cluster_id = c.cluster_id LEFT JOIN bad_address b ON b.cluster_id = c.cluster_id
         LEFT JOIN twice d ON d.cluster_id = c.cluster_id LEFT JOIN doubled u ON u.cluster_id = c.cluster_id LEFT JOIN families f ON f.cluster_id = c.cluster_id
         LEFT JOIN of_type y ON y.cluster_id = c.cluster_id AND y.task_type = c.task_type),
fault AS (
  SELECT j.*, CASE
      WHEN NOT j.valid_json THEN 'json'
      WHEN j.cluster IS NULL OR j.task_type IS NULL AND j.form <> 'spec' THEN 'missing-key'
      WHEN j.task_type IS NOT NULL AND j.task_type <> 'evaluator' AND j.of_type = 0 THEN 'task-type'
      WHEN j.mirrored AND j.ps > 0 THEN 'ps-in-mirrored'
      WHEN j.mirrored AND j.evaluators > 0 THEN 'evaluator-in-cluster'
      WHEN j.with_ps AND (j.chiefs = 0 OR j.ps = 0) THEN 'no-chief-or-ps'
      WHEN j.task_index IS NULL AND j.task_index_text IS NOT NULL THEN 'index-text'
      WHEN j.task_index IS NOT NULL AND j.of_type > 0 AND (j.task_index >= j.of_type OR j.task_index < 0) THEN 'index-range'
      WHEN j.loopback > 0 AND j.tasks > 1 AND ((SELECT n FROM hosts) > 1 OR EXISTS (SELECT 1 FROM far)) THEN 'loopback'
      WHEN j.bad_address IS NOT NULL THEN 'address'
      WHEN j.same_address IS NOT NULL THEN 'address-twice'
      WHEN j.other_host IS NOT NULL THEN 'address-of-other'
      WHEN j.two_names IS NOT NULL THEN 'two-names'
      WHEN j.two_families THEN 'two-families' END AS fault
    FROM judged j)
SELECT f.worker_id, f.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap,
       CASE WHEN f.ending IN ('finished', 'excused') OR f.last_step IS NOT NULL OR f.fault IN ('two-names', 'two-families') THEN 0 ELSE 30 END AS weight_db,
       f.name || '''s TF_CONFIG ' || CASE f.fault
         WHEN 'json' THEN 'is no valid JSON: ' || coalesce(f.error, '')
         WHEN 'missing-key' THEN 'lacks ' || CASE WHEN f.cluster IS NULL THEN '"cluster"' ELSE 'the task type' END
         WHEN 'task-type' THEN 'claims the type "' || f.task_type || '", which its cluster does not have'
         WHEN 'ps-in-mirrored' THEN 'lists parameter servers, which MultiWorkerMirroredStrategy has not'
         WHEN 'evaluator-in-cluster' THEN 'lists an evaluator among the training tasks; it never joins their collectives'
         WHEN 'no-chief-or-ps' THEN 'lacks a chief or a parameter server, which ParameterServerStrategy needs'
         WHEN 'index-text' THEN 'has the index "' || f.task_index_text || '", which is no number'
         WHEN 'index-range' THEN 'claims index ' || f.task_index || ' of ' || f.of_type || ' ' || f.task_type || ' tasks (0 to ' || (f.of_type - 1) || ')'
         WHEN 'address' THEN 'has the address "' || f.bad_address || '"'
         WHEN 'address-twice' THEN 'has the address "' || f.same_address || '" twice'
         WHEN 'address-of-other' THEN 'gives it the address "' || f.other_host || '", which is another task''s host'
         WHEN 'two-names' THEN 'names one host in two ways, "' || f.two_names || '"'
         WHEN 'two-families' THEN 'mixes IPv4 and IPv6 addresses'
         ELSE 'uses loopback addresses in a cluster of several hosts' END AS summary,
       json_array('tf_config:' || min(f.tf_config_id)) AS evidence_event_ids,
       CASE f.fault WHEN 'ps-in-mirrored' THEN 'task-type' WHEN 'evaluator-in-cluster' THEN 'task-type' WHEN 'no-chief-or-ps' THEN 'task-type'
         WHEN 'index-text' THEN 'index-range' WHEN 'address-twice' THEN 'address' WHEN 'address-of-other' THEN 'address'
         WHEN 'two-names' THEN 'address' WHEN 'two-families' THEN 'address' ELSE f.fault END AS cause
  FROM fault f WHERE f.fault IS NOT NULL
 GROUP BY f.worker_id, f.fault
