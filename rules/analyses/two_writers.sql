-- id: two-writers
-- title: several tasks wrote one checkpoint prefix
-- class: checkpoint-two-writers
-- kind: same-prefix
-- needs: event
-- weight_db: 30
-- why: algorithms.md 8.3: two tasks whose "saved" lines or failing save paths name one prefix. Per-worker copies are
-- distinct prefixes. The failed save counts beside it.
WITH named AS (
  SELECT DISTINCT e.worker_id, e.generation,
         replace(rtrim(CASE WHEN instr(k.value, '_temp') > 0 THEN substr(k.value, 1, instr(k.value, '_temp') - 1) ELSE k.value END, '/'), '/variables/variables', '') AS prefix,
         min(e.id) OVER (PARTITION BY e.worker_id, e.generation, k.value) AS event_id
    FROM event e JOIN event_capture k ON k.event_id = e.id AND k.name IN ('prefix', 'path')
   WHERE e.signature_id IN ('ckpt-saved', 'ckpt-save-begin', 'ckpt-missing-file', 'ckpt-shard-missing', 'model-written') AND e.worker_id IS NOT NULL),
shared AS (
  SELECT prefix, generation FROM named
   WHERE prefix GLOB '*[0-9]' OR prefix LIKE '%ckpt%' OR prefix LIKE '%model%'
   GROUP BY prefix, generation HAVING count(DISTINCT worker_id) > 1)
SELECT n.worker_id, n.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'tasks wrote the same checkpoint prefix ' || s.prefix AS summary,
       json_array(n.event_id) AS evidence_event_ids, 'writers' AS group_key, 'same-prefix' AS kind
  FROM shared s JOIN named n ON n.prefix = s.prefix AND n.generation = s.generation
UNION ALL
SELECT t.worker_id, t.generation, NULL, NULL, NULL, 25, 'a save failed: ' || t.title, json_array(t.event_id), 'writers', 'failed-save'
  FROM root_text t
 WHERE t.signature_id IN ('ckpt-missing-file', 'ckpt-shard-missing')
   AND (t.worker_id, t.generation) IN (SELECT n.worker_id, n.generation FROM shared s JOIN named n ON n.prefix = s.prefix AND n.generation = s.generation)
