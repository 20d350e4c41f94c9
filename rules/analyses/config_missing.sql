-- id: config-missing
-- title: a task runs without TF_CONFIG and trains alone
-- class: tf-config-missing
-- kind: alone
-- needs: event
-- weight_db: 30
-- why: algorithms.md 4.8: a task that is in a peer's cluster connects to nobody and steps; it succeeds and exits 0 while the
-- others wait for it for ever (+20).
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, w.weight AS weight_db,
       r.name || ' trains alone: it saw no TF_CONFIG' AS summary,
       json_array(min(e.id)) AS evidence_event_ids, w.kind AS kind
  FROM run r JOIN event e ON e.worker_id = r.worker_id AND e.attempt = r.attempt AND e.signature_id = 'mwms-single'
       JOIN (SELECT 30 AS weight, 'alone' AS kind UNION ALL SELECT 20, 'others-wait') w
 WHERE (r.in_cluster OR EXISTS (SELECT 1 FROM cluster_spec s WHERE s.text LIKE '%,%'))
   AND r.worker_id NOT IN (SELECT c.worker_id FROM config_of c WHERE c.worker_id IS NOT NULL AND c.cluster LIKE '%,%')
   AND (w.kind = 'alone' OR EXISTS (SELECT 1 FROM event x WHERE x.signature_id = 'coord-waiting-tasks' AND x.worker_id <> r.worker_id
          AND EXISTS (SELECT 1 FROM event_capture k WHERE k.event_id = x.id AND k.name = 'n' AND k.value <> '0')))
   AND EXISTS (SELECT 1 FROM run v WHERE v.worker_id <> r.worker_id AND v.generation = r.generation AND v.has_log AND v.trains
                AND NOT EXISTS (SELECT 1 FROM event s WHERE s.worker_id = v.worker_id AND s.signature_id = 'mwms-single'))
 GROUP BY r.worker_id, r.generation, w.kind
