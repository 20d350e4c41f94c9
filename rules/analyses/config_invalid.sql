-- id: config-invalid
-- title: a TF_CONFIG is wrong on its own
-- class: tf-config-invalid
-- kind: config
-- needs: tf_config
-- weight_db: 30
-- why: algorithms.md 11, rows 1, 5, 6, 10: not JSON, parts missing, an index outside its own list, a task type its cluster
-- does not have, an address without a port, loopback addresses in a cluster of several hosts. The process is named by its
-- source; what it claims is in the summary. Of a task that stepped or finished it is a remark: it did not stop it.
WITH judged AS (
  SELECT c.*, r.name, r.generation, r.ending, r.last_step,
         (SELECT count(*) FROM cluster_task k WHERE k.tf_config_id = c.tf_config_id AND k.task_type = c.task_type) AS of_type,
         (SELECT count(*) FROM cluster_task k WHERE k.tf_config_id = c.tf_config_id) AS tasks,
         (SELECT min(k.address) FROM cluster_task k WHERE k.tf_config_id = c.tf_config_id
             AND (k.address NOT GLOB '*:[0-9]*' OR k.address <> trim(k.address) OR k.address GLOB '*[ ''"]*')) AS bad_address,
         (SELECT count(*) FROM cluster_task k WHERE k.tf_config_id = c.tf_config_id
             AND (k.address LIKE 'localhost:%' OR k.address LIKE '127.%' OR k.address LIKE '0.0.0.0:%')) AS loopback
    FROM config_of c JOIN run r ON r.worker_id = c.worker_id AND r.generation = (SELECT max(generation) FROM step_state)),
-- Somebody's cluster is reached over a network.
far AS (
  SELECT task_type FROM (SELECT task_type, task_index, address LIKE 'localhost:%' OR address LIKE '127.%' OR address LIKE '0.0.0.0:%' AS near FROM cluster_task)
   GROUP BY task_type, task_index HAVING max(near) = 1 AND min(near) = 0 LIMIT 1),
fault AS (
  SELECT j.*, CASE
      WHEN NOT j.valid_json THEN 'json'
      WHEN j.cluster IS NULL OR j.task_type IS NULL AND j.form <> 'spec' THEN 'missing-key'
      WHEN j.task_type IS NOT NULL AND j.task_type NOT IN ('evaluator') AND j.of_type = 0 THEN 'task-type'
      WHEN j.task_index IS NOT NULL AND j.of_type > 0 AND (j.task_index >= j.of_type OR j.task_index < 0) THEN 'index-range'
      WHEN j.bad_address IS NOT NULL THEN 'address'
      WHEN j.loopback > 0 AND j.tasks > 1
           AND ((SELECT count(DISTINCT w.host) FROM worker w WHERE w.host IS NOT NULL) > 1
                OR EXISTS (SELECT 1 FROM far)) THEN 'loopback' END AS cause
    FROM judged j)
SELECT f.worker_id, f.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap,
       CASE WHEN f.ending IN ('finished', 'excused') OR f.last_step IS NOT NULL THEN 0 ELSE 30 END AS weight_db,
       f.name || '''s TF_CONFIG ' || CASE f.cause
         WHEN 'json' THEN 'is no valid JSON: ' || coalesce(f.error, '')
         WHEN 'missing-key' THEN 'lacks ' || CASE WHEN f.cluster IS NULL THEN '"cluster"' ELSE 'the task type' END
         WHEN 'task-type' THEN 'claims the type "' || f.task_type || '", which its cluster does not have'
         WHEN 'index-range' THEN 'claims index ' || f.task_index || ' of ' || f.of_type || ' ' || f.task_type || ' tasks (0 to ' || (f.of_type - 1) || ')'
         WHEN 'address' THEN 'has the address "' || f.bad_address || '"'
         ELSE 'uses loopback addresses in a cluster of several hosts' END AS summary,
       json_array('tf_config:' || min(f.tf_config_id)) AS evidence_event_ids, f.cause AS cause
  FROM fault f WHERE f.cause IS NOT NULL
 GROUP BY f.worker_id, f.cause
