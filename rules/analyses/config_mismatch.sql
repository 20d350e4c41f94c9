-- id: config-mismatch
-- title: TF_CONFIGs contradict each other
-- class: tf-config-mismatch
-- kind: cluster-spec
-- needs: tf_config
-- weight_db: 30
-- why: algorithms.md 11, row 2: the majority of the serialised cluster specs, or the leader's if there is none, is the
-- reference. Equal addresses in another order: order; other ports only: port. A task that stepped or finished anyway keeps it as a
-- remark without weight. Between two tasks the leader is the reference by construction, so the word is capped.
WITH specs AS (
  SELECT c.worker_id, c.cluster, min(c.tf_config_id) AS config_id FROM config_of c
   WHERE c.cluster IS NOT NULL AND c.worker_id IS NOT NULL GROUP BY c.worker_id, c.cluster),
votes AS (SELECT cluster, count(DISTINCT worker_id) AS n FROM specs GROUP BY cluster),
reference AS (
  SELECT cluster FROM votes v
   ORDER BY n * 2 > (SELECT count(*) FROM specs) DESC,
            EXISTS (SELECT 1 FROM specs s JOIN worker w ON w.id = s.worker_id WHERE s.cluster = v.cluster AND w.leader) DESC, n DESC, cluster
   LIMIT 1),
odd AS (
  SELECT s.*, f.cluster AS expected, r.name, r.generation, r.ending, r.last_step,
         (SELECT count(*) FROM specs) AS tasks
    FROM specs s JOIN reference f ON s.cluster <> f.cluster
         JOIN run r ON r.worker_id = s.worker_id AND r.generation = (SELECT max(generation) FROM step_state)
   WHERE NOT EXISTS (SELECT 1 FROM specs same WHERE same.worker_id = s.worker_id AND same.cluster = f.cluster)),
addresses AS (
  SELECT o.config_id,
         (SELECT group_concat(a) FROM (SELECT k.address AS a FROM cluster_task k WHERE k.tf_config_id = o.config_id ORDER BY a)) AS own,
         (SELECT group_concat(a) FROM (SELECT k.address AS a FROM cluster_task k WHERE k.tf_config_id =
            (SELECT min(s.config_id) FROM specs s WHERE s.cluster = o.expected) ORDER BY a)) AS theirs,
         (SELECT group_concat(a) FROM (SELECT substr(k.address, 1, instr(k.address || ':', ':') - 1) AS a FROM cluster_task k WHERE k.tf_config_id = o.config_id ORDER BY a)) AS own_hosts,
         (SELECT group_concat(a) FROM (SELECT substr(k.address, 1, instr(k.address || ':', ':') - 1) AS a FROM cluster_task k WHERE k.tf_config_id =
            (SELECT min(s.config_id) FROM specs s WHERE s.cluster = o.expected) ORDER BY a)) AS their_hosts
    FROM odd o)
SELECT o.worker_id, o.generation, NULL AS step_lo, NULL AS step_hi, CASE WHEN o.tasks = 2 THEN 'supported' END AS confidence_cap,
       CASE WHEN o.ending IN ('finished', 'excused') OR o.last_step IS NOT NULL THEN 0 ELSE 30 END AS weight_db,
       o.name || '''s TF_CONFIG has the cluster ' || o.cluster || ', its peers have ' || o.expected AS summary,
       json_array('tf_config:' || o.config_id, 'tf_config:' || (SELECT min(s.config_id) FROM specs s WHERE s.cluster = o.expected)) AS evidence_event_ids,
       CASE WHEN a.own = a.theirs THEN 'order' WHEN a.own_hosts = a.their_hosts THEN 'port' ELSE 'cluster' END AS cause
  FROM odd o JOIN addresses a ON a.config_id = o.config_id
