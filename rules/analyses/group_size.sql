-- id: group-size
-- title: a task came with another number of replicas
-- class: diverged-control-flow
-- kind: group-size
-- needs: event
-- explains: coll-group-size
-- weight_db: 30
-- why: algorithms.md 4.4: the device named came with another group size than the leader's. Its cluster differs: symptom of
-- tf-config-mismatch; else the groups themselves do.
SELECT e.peer_worker_id AS worker_id, e.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       w.name || ' joined the collective group with another size than the leader''s' AS summary,
       json_group_array(e.id) AS evidence_event_ids,
       CASE WHEN (SELECT count(DISTINCT c.cluster_id) FROM config_of c WHERE c.cluster_id IS NOT NULL) > 1 THEN 'tf-config-mismatch' END AS class,
       CASE WHEN (SELECT count(DISTINCT c.cluster_id) FROM config_of c WHERE c.cluster_id IS NOT NULL) > 1 THEN 'cluster' ELSE 'group-mismatch' END AS cause
  FROM event e JOIN worker w ON w.id = e.peer_worker_id
 WHERE e.signature_id = 'coll-group-size' AND e.outcome <> 'progressed_after'
 GROUP BY e.peer_worker_id, e.generation
