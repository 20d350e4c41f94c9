-- id: straggler
-- title: one task makes the others wait
-- class: straggler
-- kind: own-step-time
-- needs: step_marker
-- weight_db: 25
-- param: flag_share 0.05 share a task is flagged above this share of run time
-- param: verdict_share 0.2 share it can be the verdict above this share
-- param: lead 3 x ... and above this many times the next task's cost
-- why: algorithms.md 7.1: the straggler's own step time is short (it enters last), its victims' long. Only as a verdict when
-- it costs more than a fifth of the time and nothing failed, else a remark. 7.4: the cause is what its host alone shows; where
-- profiles show that every task's pipeline is the limit nobody is a straggler (10).
SELECT c.worker_id, c.generation, 1 + 0 * c.steps AS step_lo, (SELECT s.frontier FROM step_state s WHERE s.generation = c.generation) AS step_hi,
       NULL AS confidence_cap, CASE WHEN c.cost > :verdict_share THEN v.weight ELSE 0 END AS weight_db,
       CASE v.kind WHEN 'peers-wait' THEN 'the other tasks wait for ' || w.name || ' in ' || CAST(round(100 * c.share) AS INTEGER) || ' % of the steps' ELSE
       w.name || ' costs ' || CAST(round(100 * c.cost) AS INTEGER) || ' % of the run time: its own steps take ' || (c.own_us / 1000)
         || ' ms, its peers wait and take ' || (c.peer_us / 1000) || ' ms ('
         || CASE WHEN c.share >= 0.6 THEN 'persistent' ELSE 'in bursts' END || ', ' || c.steps || ' steps compared)' || coalesce('; ' || k.what, '') END AS summary,
       (SELECT json_group_array(ref) FROM (
          SELECT k.ref AS ref WHERE k.ref IS NOT NULL UNION ALL
          SELECT 'marker:' || stream || ':' || seq FROM (
          SELECT m.stream, m.seq FROM step_marker m JOIN stream t ON t.id = m.stream
           WHERE t.worker_id = c.worker_id AND m.generation = c.generation AND m.step_time_us IS NOT NULL ORDER BY m.seq DESC LIMIT 2))) AS evidence_event_ids,
       coalesce(k.cause, 'unknown') AS cause, v.kind AS kind
  FROM straggler_cost c JOIN worker w ON w.id = c.worker_id
       LEFT JOIN slow_cause k ON k.worker_id = c.worker_id AND k.place = (SELECT min(o.place) FROM slow_cause o WHERE o.worker_id = c.worker_id)
       JOIN (SELECT 25 AS weight, 'own-step-time' AS kind UNION ALL SELECT 15, 'peers-wait') v
 WHERE c.cost > :flag_share AND c.cost > :lead * c.next_cost
   AND NOT ((SELECT count(*) FROM input_limited) >= 2 AND NOT EXISTS (SELECT 1 FROM input_limited WHERE NOT limited))
