-- id: shared-gpu
-- title: several processes hold memory of one GPU
-- class: oom-gpu
-- cause: foreign-process
-- kind: gpu-processes
-- needs: gpu_process
-- weight_db: 15
-- why: algorithms.md 6.2: the process list of a GPU on which an allocation failed shows more than one holder: another job, or
-- ranks that were not pinned to their own GPU.
WITH held AS (
  SELECT p.source_id, coalesce(p.uuid, CAST(p.gpu_index AS TEXT)) AS gpu, count(DISTINCT p.pid) AS holders, min(p.id) AS first_id,
         group_concat(DISTINCT p.pid) AS pids
    FROM gpu_process p WHERE p.type IS NULL OR p.type LIKE '%C%' GROUP BY p.source_id, gpu HAVING count(DISTINCT p.pid) > 1),
place AS (SELECT DISTINCT source_id, owner FROM gpu_sample)
SELECT t.worker_id, t.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       h.holders || ' processes (' || h.pids || ') hold memory of GPU ' || h.gpu || ' beside each other' AS summary,
       json_array('gpu_process:' || h.first_id) AS evidence_event_ids
  FROM root_text t JOIN worker w ON w.id = t.worker_id JOIN held h LEFT JOIN place p ON p.source_id = h.source_id
 WHERE t.class = 'oom-gpu' AND t.in_terminal AND (p.owner IS NULL OR p.owner IN (w.name, w.host))
 GROUP BY t.worker_id, t.generation
