-- id: gpu-idle
-- title: one task's GPU is idle while its peers' wait busily
-- class: undetermined
-- kind: gpu-idle
-- needs: gpu_sample
-- weight_db: 20
-- param: busy 90 % utilisation of a GPU that spins in a collective
-- param: idle 5 % utilisation of one whose process is elsewhere
-- why: algorithms.md 10: a kernel that waits in a collective counts as work, so the busy ones are the victims. Where nobody died
-- and nobody steps, the one idle task is where to look; the samples do not say what it does instead.
WITH use_of AS (
  SELECT w.id AS worker_id, median(g.util_percent) AS util, max(g.id) AS sample_id
    FROM gpu_sample g JOIN worker w ON (w.name = g.owner OR w.host = g.owner) AND w.instance = 0
   WHERE g.util_percent IS NOT NULL GROUP BY w.id),
hung AS (
  SELECT generation FROM run WHERE trains AND has_log GROUP BY generation
  HAVING sum(ending NOT IN ('cleaned-up', 'silent', 'unknown')) = 0 AND count(*) >= 3)
SELECT u.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, 'hypothesis' AS confidence_cap, NULL AS weight_db,
       r.name || '''s GPU is idle (' || CAST(u.util AS INTEGER) || ' %) while every other GPU is busy: it did not enter the collective the others are in' AS summary,
       json_array('gpu:' || u.sample_id) AS evidence_event_ids
  FROM use_of u JOIN run r ON r.worker_id = u.worker_id AND r.generation = (SELECT max(generation) FROM step_state) JOIN hung h ON h.generation = r.generation
 WHERE u.util < :idle AND NOT EXISTS (SELECT 1 FROM use_of o WHERE o.worker_id <> u.worker_id AND o.util < :busy) AND (SELECT count(*) FROM use_of) >= 3
