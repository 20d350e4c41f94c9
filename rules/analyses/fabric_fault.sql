-- id: fabric-fault
-- title: a link of the training fabric is down
-- class: collective-fabric
-- cause: link
-- kind: link-state
-- needs: run
-- weight_db: 12
-- why: algorithms.md 4.4: a port that is down or an NVSwitch fault explains why a collective never completes, but many ports
-- are never used, so the state does not answer alone. A transport error of NCCL in the log of the same task is the second word.
WITH last AS (SELECT max(generation) AS generation FROM step_state),
down AS (
  SELECT l.owner, l.id AS row_id, 'link' AS kind,
         'the InfiniBand port ' || l.name || ' is ' || coalesce(l.state, 'down') AS text
    FROM network_link l
   WHERE l.up = 0 AND l.layer = 'infiniband'
     -- where all ports of the host are down the tool ran without its driver; where none is used nobody misses one
     AND EXISTS (SELECT 1 FROM network_link o WHERE o.source_id = l.source_id AND o.layer = 'infiniband' AND o.up = 1)
  UNION ALL
  SELECT f.owner, f.id, 'fabric', 'the fabric manager reports: ' || substr(f.text, 1, 200)
    FROM fabric_event f WHERE f.kind IN ('fatal', 'link-training', 'not-ready') AND f.severity <> 'INFO'
  UNION ALL
  SELECT k.owner, k.id, 'kernel', 'the kernel reports: ' || substr(k.text, 1, 200)
    FROM kernel_event k WHERE k.kind = 'link-down'),
hit AS (
  SELECT r.worker_id, r.name, r.generation, r.attempt, d.row_id, d.kind, d.text
    FROM down d JOIN run r ON d.owner = r.name OR d.owner = r.host JOIN last l ON l.generation = r.generation
   WHERE r.ending NOT IN ('finished', 'excused'))
SELECT worker_id, generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       'on the host of ' || name || ' ' || text AS summary, json_group_array(kind || ':' || row_id) AS evidence_event_ids, 'link-state' AS kind,
       CASE WHEN EXISTS (SELECT 1 FROM root_text t WHERE t.class = 'collective-fabric' AND t.worker_id = hit.worker_id AND t.attempt = hit.attempt)
            THEN 'fabric' END AS group_key  -- one fault with what root-text reads
  FROM hit GROUP BY worker_id
UNION ALL
SELECT t.worker_id, t.generation, NULL, NULL, 'supported', NULL,
       (SELECT name FROM run WHERE worker_id = t.worker_id LIMIT 1) || ': ' || t.title, json_group_array(t.event_id), 'transport-error', 'fabric'
  FROM root_text t
 WHERE t.class = 'collective-fabric' AND EXISTS (SELECT 1 FROM hit h WHERE h.worker_id = t.worker_id AND h.attempt = t.attempt)
 GROUP BY t.worker_id
