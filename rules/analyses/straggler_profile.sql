-- id: straggler-profile
-- title: one task's work before the collective takes longer in every step
-- class: straggler
-- kind: own-work
-- needs: profile_step
-- param: ratio 1.03 ratio a task's work against its peers' in the same step
-- param: persistent 0.6 share of steps in which the ratio is exceeded
-- param: outlier 5 deviations distance of its median ratio from all tasks' median
-- param: verdict_share 0.2 share it can be the verdict above this cost
-- param: lead 3 x ... and above this many times the next task's cost
-- why: algorithms.md 7.2: dividing by the peers' work in the same step removes slow steps, the median over steps removes bursts.
-- Also what is lost (7.3) beyond the noise of N equal tasks, and how much of it this task explains. Where every task's pipeline is
-- the limit nobody is a straggler (section 10).
WITH work AS (
  SELECT a.worker_id, a.step, a.busy_us, a.period_us, median(o.busy_us) AS peer_us, max(o.busy_us) AS peer_max,
         a.input_us - median(o.input_us) AS d_input, a.compute_us - median(o.compute_us) AS d_compute,
         a.copy_us - median(o.copy_us) AS d_copy, a.launch_us + a.other_us - median(o.launch_us + o.other_us) AS d_host
    FROM common_step a JOIN common_step o ON o.step = a.step AND o.worker_id <> a.worker_id GROUP BY a.worker_id, a.step),
ratio AS (
  SELECT worker_id, count(*) AS steps, median(busy_us * 1.0 / peer_us) AS r, avg(busy_us > :ratio * peer_us) AS slow,
         sum(max(busy_us - peer_us, 0)) * 1.0 / sum(period_us) AS cost, median(busy_us) AS own_us, median(peer_us) AS peer_us,
         avg(CASE WHEN busy_us > :ratio * peer_us THEN d_input >= max(d_compute, d_copy, d_host) END) AS by_input,
         avg(CASE WHEN busy_us > :ratio * peer_us THEN d_compute >= max(d_input, d_copy, d_host) END) AS by_compute,
         avg(CASE WHEN busy_us > :ratio * peer_us THEN d_host >= max(d_input, d_compute, d_copy) END) AS by_host
    FROM work GROUP BY worker_id),
spread AS (SELECT median(r) AS mid, max(mad(r), 0.005) AS dev, count(*) AS tasks FROM ratio),
whole AS (
  SELECT sum(period) AS total, sum(mid + transfer) AS ideal FROM (
    SELECT step, max(period_us) AS period, median(busy_us) AS mid, min(collective_us) AS transfer FROM common_step GROUP BY step)),
fixed AS (
  SELECT w.worker_id, sum(w.peer_max + c.transfer) AS total
    FROM work w JOIN (SELECT step, min(collective_us) AS transfer FROM common_step GROUP BY step) c ON c.step = w.step GROUP BY w.worker_id),
found AS (
  SELECT r.*, s.tasks, h.total * 1.0 / h.ideal AS slowdown, (h.total - f.total) * 1.0 / nullif(h.total - h.ideal, 0) AS explains,
         coalesce((SELECT max(o.cost) FROM ratio o WHERE o.worker_id <> r.worker_id), 0) AS next_cost
    FROM ratio r JOIN spread s JOIN whole h JOIN fixed f ON f.worker_id = r.worker_id
   WHERE r.steps >= 5 AND r.r > :ratio AND r.slow >= :persistent AND (s.tasks = 2 OR (r.r - s.mid) / s.dev > :outlier)),
named AS (
  SELECT f.*, w.name, c.cause, c.what, c.ref,
         CASE WHEN f.by_input >= 0.6 THEN 'input' END AS own_cause
    FROM found f JOIN worker w ON w.id = f.worker_id
         LEFT JOIN slow_cause c ON c.worker_id = f.worker_id
               AND c.place = (SELECT min(k.place) FROM slow_cause k WHERE k.worker_id = f.worker_id)
   WHERE f.cost > :lead * f.next_cost)
SELECT n.worker_id, (SELECT max(generation) FROM step_state) AS generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi, NULL AS confidence_cap,
       CASE WHEN n.cost > :verdict_share THEN v.weight ELSE 0 END AS weight_db,
       CASE v.kind WHEN 'peers-wait' THEN 'the other tasks wait for ' || n.name || ' in the collectives of ' || CAST(round(100 * n.slow) AS INTEGER) || ' % of the profiled steps' ELSE
       n.name || ' costs ' || CAST(round(100 * n.cost) AS INTEGER) || ' % of the profiled time: before the collectives it works '
         || CAST(n.own_us / 1000 AS INTEGER) || ' ms a step, its peers ' || CAST(n.peer_us / 1000 AS INTEGER) || ' ms, in '
         || CAST(round(100 * n.slow) AS INTEGER) || ' % of ' || n.steps || ' steps'
         || CASE WHEN n.explains > 0 THEN '; without it ' || CAST(round(100 * min(n.explains, 1)) AS INTEGER) || ' % of the lost time would be won back' ELSE '' END
         || coalesce('; ' || n.what, CASE WHEN n.own_cause = 'input' THEN '; it waits for its own input' END,
                     CASE WHEN n.by_compute >= 0.6 THEN '; its device computes longer' WHEN n.by_host >= 0.6 THEN '; the longer part is work of its host' END, '') END AS summary,
       (SELECT json_group_array(ref) FROM (
          SELECT n.ref AS ref WHERE n.ref IS NOT NULL UNION ALL
          SELECT 'profile_step:' || step_id FROM (SELECT c.step_id FROM common_step c WHERE c.worker_id = n.worker_id ORDER BY c.step LIMIT 3))) AS evidence_event_ids,
       coalesce(CASE WHEN n.cause IN ('thermal', 'power') THEN n.cause END, n.own_cause, n.cause, 'unknown') AS cause, v.kind AS kind
  FROM named n JOIN (SELECT 25 AS weight, 'own-work' AS kind UNION ALL SELECT 15, 'peers-wait') v
       JOIN frontier
 WHERE NOT ((SELECT count(*) FROM input_limited) >= 2 AND NOT EXISTS (SELECT 1 FROM input_limited WHERE NOT limited))
