-- id: network-bound
-- title: the transfers of the collectives dominate on all tasks
-- class: network-bound
-- needs: profile_step
-- param: high 0.2 share the transfer itself must cost this much
-- param: balance 0.15 share waiting for peers must stay below this on every task
-- param: floor_us 10000 us shorter transfers are latency of tiny models, not bandwidth
-- why: algorithms.md 10: of each collective the shortest over the tasks is transfer, the rest is waiting for a peer. The network
-- is the limit only if the transfer is long and the waiting balanced: large uneven waiting is a straggler.
WITH split AS (
  SELECT step, min(collective_us) AS transfer, max(period_us) AS period FROM common_step GROUP BY step),
per_task AS (
  SELECT c.worker_id, sum(c.collective_us - s.transfer) * 1.0 / sum(s.period) AS waiting FROM common_step c JOIN split s ON s.step = c.step GROUP BY c.worker_id),
whole AS (
  SELECT count(*) AS steps, sum(transfer) * 1.0 / sum(period) AS share, median(transfer) AS transfer_us,
         (SELECT max(waiting) FROM per_task) AS waiting, (SELECT count(*) FROM per_task) AS tasks, (SELECT count(*) FROM trainer) AS trainers
    FROM split)
SELECT NULL AS worker_id, (SELECT max(generation) FROM step_state) AS generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi,
       CASE WHEN h.tasks < h.trainers THEN 'supported' END AS confidence_cap, v.weight AS weight_db,
       CASE v.kind WHEN 'transfer' THEN 'the collectives'' transfers take ' || CAST(round(100 * h.share) AS INTEGER) || ' % of the time ('
                        || CAST(h.transfer_us / 1000 AS INTEGER) || ' ms a step) on the task that waits least'
                   ELSE 'waiting for peers is balanced: at most ' || CAST(round(100 * h.waiting) AS INTEGER) || ' % of the time on any task' END AS summary,
       (SELECT json_group_array('profile:' || profile_id) FROM (SELECT profile_id FROM profile_task ORDER BY worker_id)) AS evidence_event_ids,
       v.kind AS kind, 'network-bound' AS group_key
  FROM whole h JOIN (SELECT 25 AS weight, 'transfer' AS kind UNION ALL SELECT 15, 'balanced') v
       JOIN frontier
 WHERE h.steps >= 3 AND h.tasks >= 2 AND h.tasks * 2 >= h.trainers AND h.share >= :high AND h.waiting < :balance AND h.transfer_us >= :floor_us
   AND NOT EXISTS (SELECT 1 FROM input_limited WHERE limited)
