-- id: straggler-gpu
-- title: the GPU of one task is slowed down
-- class: straggler
-- kind: gpu-clock
-- needs: gpu_sample
-- weight_db: 22
-- param: slow_share 0.9 share its clock under load is below this share of the peers'
-- param: verdict_share 0.8 share it can be the verdict below this share: then it costs the others a fifth of their time
-- param: busy_percent 50 % a sample is under load from this utilisation on
-- param: braked_share 0.6 share of its samples under load that must show a brake
-- param: waits_share 0.05 share a task costs that makes it a straggler by its step times
-- why: algorithms.md 7.4: in synchronous training all tasks print the same step times, so a slow GPU shows in its clock: below the peers' under load,
-- with a thermal or power brake active.
WITH busy AS (
  SELECT w.id AS worker_id, g.id, g.sm_clock_mhz AS mhz, ',' || g.throttle || ',' AS reasons
    FROM gpu_sample g JOIN worker w
         ON g.owner = w.name OR (g.owner = w.host AND (SELECT count(*) FROM worker o WHERE o.host = w.host) = 1)
   WHERE w.instance = 0 AND g.throttle IS NOT NULL AND g.sm_clock_mhz > 0 AND g.util_percent >= :busy_percent),
task AS (
  SELECT worker_id, median(mhz) AS mhz, count(*) AS samples,
         sum(reasons LIKE '%thermal_slowdown,%') AS hot,
         sum(reasons LIKE '%,hw_slowdown,%' OR reasons LIKE '%,hw_power_brake_slowdown,%' OR reasons LIKE '%,sw_power_cap,%') AS braked
    FROM busy GROUP BY worker_id),
slow AS (
  SELECT t.worker_id, t.mhz, t.hot, t.samples, (SELECT median(p.mhz) FROM task p WHERE p.worker_id <> t.worker_id) AS peer_mhz
    FROM task t WHERE max(t.hot, t.braked) >= :braked_share * t.samples)
SELECT s.worker_id, (SELECT max(generation) FROM step_state) AS generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap,
       CASE WHEN s.mhz < :verdict_share * s.peer_mhz THEN 22 ELSE 0 END AS weight_db,
       'the GPU of ' || w.name || ' runs at ' || CAST(round(s.mhz) AS INTEGER) || ' MHz under load, its peers'' at '
         || CAST(round(s.peer_mhz) AS INTEGER) || ' MHz: slowed down for '
         || CASE WHEN s.hot >= :braked_share * s.samples THEN 'its temperature' ELSE 'power' END AS summary,
       (SELECT json_group_array('gpu:' || id) FROM (SELECT b.id FROM busy b WHERE b.worker_id = s.worker_id ORDER BY b.id LIMIT 3)) AS evidence_event_ids,
       CASE WHEN s.hot >= :braked_share * s.samples THEN 'thermal' ELSE 'power' END AS cause
  FROM slow s JOIN worker w ON w.id = s.worker_id
 WHERE s.mhz < :slow_share * s.peer_mhz
   -- what waiting peers or profiles show as well is told by the analyses of step times, with this cause
   AND NOT EXISTS (SELECT 1 FROM straggler_cost c WHERE c.worker_id = s.worker_id AND c.cost > :waits_share)
   AND NOT EXISTS (SELECT 1 FROM profile_step)
   AND NOT EXISTS (SELECT 1 FROM slow o WHERE o.worker_id <> s.worker_id AND o.mhz < :slow_share * o.peer_mhz)
