-- id: config-mismatch
-- title: TF_CONFIGs contradict each other
-- class: tf-config-mismatch
-- kind: cluster-spec
-- needs: tf_config
-- weight_db: 30
-- why: algorithms.md 11, row 2: the majority of the serialised cluster specs, or the leader's if there is none, is the
-- reference. Equal addresses in another order: order; other ports only: port. A task that stepped or finished anyway keeps it as a
-- remark without weight. Between two tasks the leader is the reference by construction, so the word is capped.
WITH specs AS MATERIALIZED (
  SELECT c.worker_id, c.cluster_id, min(c.tf_config_id) AS config_id FROM config_of c
   WHERE c.cluster_id IS NOT NULL AND c.worker_id IS NOT NULL GROUP BY c.worker_id, c.cluster_id),
votes AS (SELECT cluster_id, count(DISTINCT worker_id) AS n, min(config_id) AS first_config FROM specs GROUP BY cluster_id),
reference AS MATERIALIZED (
  SELECT v.cluster_id, v.first_config, t.text FROM votes v JOIN cluster_spec t ON t.id = v.cluster_id
   ORDER BY v.n * 2 > (SELECT count(*) FROM specs) DESC,
            EXISTS (SELECT 1 FROM specs s JOIN worker w ON w.id = s.worker_id WHERE s.cluster_id = v.cluster_id AND w.leader) DESC, v.n DESC, t.text
   LIMIT 1),
odd AS (
  SELECT s.*, t.text AS cluster, f.text AS expected, f.cluster_id AS expected_id, f.first_config, r.name, r.generation, r.ending, r.last_step,
         (SELECT count(*) FROM specs) AS tasks
    FROM specs s JOIN reference f ON s.cluster_id <> f.cluster_id JOIN cluster_spec t ON t.id = s.cluster_id
         JOIN run r ON r.worker_id = s.worker_id AND r.generation = (SELECT max(generation) FROM step_state)
   WHERE NOT EXISTS (SELECT 1 FROM specs same WHERE same.worker_id = s.worker_id AND same.cluster_id = f.cluster_id)),
lists AS (                            -- of every cluster that matters: its addresses, and its hosts, in alphabetical order
  SELECT i.cluster_id,
         (SELECT group_concat(a) FROM (SELECT k.address AS a FROM cluster_address k WHERE k.cluster_id = i.cluster_id ORDER BY a)) AS addresses,
         (SELECT group_concat(a) FROM (SELECT substr(k.address, 1, instr(k.address || ':', ':') - 1) AS a FROM cluster_address k
            WHERE k.cluster_id = i.cluster_id ORDER BY a)) AS hosts
    FROM (SELECT cluster_id FROM odd UNION SELECT expected_id FROM odd) i)
SELECT o.worker_id, o.generation, NULL AS step_lo, NULL AS step_hi, CASE WHEN o.tasks = 2 THEN 'supported' END AS confidence_cap,
       CASE WHEN o.ending IN ('finished', 'excused') OR o.last_step IS NOT NULL THEN 0 ELSE 30 END AS weight_db,
       o.name || '''s TF_CONFIG has the cluster ' || o.cluster || ', its peers have ' || o.expected AS summary,
       json_array('tf_config:' || o.config_id, 'tf_config:' || o.first_config) AS evidence_event_ids,
       CASE WHEN own.addresses = theirs.addresses THEN 'order' WHEN own.hosts = theirs.hosts THEN 'port' ELSE 'cluster' END AS cause
  FROM odd o JOIN lists own ON own.cluster_id = o.cluster_id JOIN lists theirs ON theirs.cluster_id = o.expected_id
