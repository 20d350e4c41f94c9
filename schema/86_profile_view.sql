-- Views for the rules about speed (algorithms.md sections 7 and 10): one row a task, the same steps on all tasks, and what a
-- slow task's host says of the reason.
CREATE VIEW trainer AS                -- tasks that trained in the last generation
  SELECT r.worker_id, r.name, r.host, r.generation FROM run r
   WHERE r.trains AND r.generation = (SELECT max(generation) FROM step_state) AND (r.has_log OR r.in_cluster) GROUP BY r.worker_id;

CREATE VIEW frontier AS               -- how far the last generation came; one row
  SELECT max(s.frontier) AS step FROM step_state s WHERE s.generation = (SELECT max(generation) FROM step_state);

CREATE VIEW profile_task AS           -- shares of time of one task, or host where no task is known: of its profile with the most steps
  SELECT o.worker_id, o.source_id, o.profile_id, o.kind, o.device, count(*) AS steps,
         sum(t.period_us) AS period_us, sum(t.compute_us) AS compute_us, sum(t.input_us) AS input_us,
         sum(t.collective_us) AS collective_us, sum(t.collective_all_us) AS collective_all_us, sum(t.copy_us) AS copy_us,
         sum(t.launch_us) AS launch_us, sum(t.other_us) AS other_us,
         (SELECT max(b.busy) FROM profile_producer b WHERE b.source_id = o.source_id) AS producer
    FROM profile_of o JOIN profile_step t ON t.source_id = o.source_id
   WHERE o.kind IN ('xplane', 'input-pipeline', 'overview', 'trace') AND t.period_us > 0
     AND (o.worker_id IN (SELECT worker_id FROM trainer) OR NOT EXISTS (SELECT 1 FROM trainer))
     AND o.source_id = (SELECT q.source_id FROM profile_of q JOIN profile_step s ON s.source_id = q.source_id
                         WHERE q.kind IN ('xplane', 'input-pipeline', 'overview', 'trace') AND q.worker_id IS o.worker_id AND (o.worker_id IS NOT NULL OR q.host IS o.host)
                         GROUP BY q.source_id ORDER BY count(*) DESC, q.kind = 'xplane' DESC, q.source_id LIMIT 1)
   GROUP BY o.source_id;

CREATE VIEW input_limited AS          -- tasks whose pipeline cannot go faster, with the share of time that waiting costs
  SELECT p.*, (p.input_us + p.hidden_us + coalesce(p.collective_us, 0)) * 1.0 / p.period_us AS waiting, (p.input_us + p.hidden_us) * 1.0 / p.period_us AS input_share,
         coalesce(p.producer >= 0.8, 0) OR p.input_us >= 0.2 * p.period_us AS limited
    FROM (SELECT t.*,                 -- with threads that make batches all the time, a device's unexplained idle time is input read by Python (case C64)
                 CASE WHEN t.device IN ('GPU', 'TPU') AND t.producer >= 0.8 THEN coalesce(t.other_us, 0) ELSE 0 END AS hidden_us
            FROM profile_task t WHERE t.input_us IS NOT NULL) p;

CREATE VIEW common_step AS            -- numbered steps that every profiled task has
  SELECT p.worker_id, p.source_id, t.id AS step_id, t.step, t.period_us, coalesce(t.collective_all_us, 0) AS collective_us,
         max(t.period_us - coalesce(t.collective_all_us, 0), 1) AS busy_us, t.input_us, t.compute_us, t.copy_us, t.launch_us, t.other_us
    FROM profile_task p JOIN profile_step t ON t.source_id = p.source_id
   WHERE p.kind = 'xplane' AND t.period_us > 0
     AND t.step IN (SELECT s.step FROM profile_task q JOIN profile_step s ON s.source_id = q.source_id
                     WHERE q.kind = 'xplane' AND s.step IS NOT NULL GROUP BY s.step
                    HAVING count(DISTINCT q.worker_id) = (SELECT count(*) FROM profile_task WHERE kind = 'xplane')
                       AND count(*) = count(DISTINCT q.worker_id))
     AND (SELECT count(*) FROM profile_task WHERE kind = 'xplane') >= 2;

CREATE VIEW gpu_load AS               -- GPU samples under load of each training task
  SELECT w.worker_id, g.id AS sample_id, g.sm_clock_mhz, ',' || g.throttle || ',' AS reasons, g.ecc_uncorrected
    FROM gpu_sample g JOIN trainer w ON g.owner = w.name OR g.owner = w.host
   WHERE g.util_percent >= 30;

CREATE VIEW gpu_throttled AS          -- share of those samples slowed by heat or by power
  SELECT worker_id, count(*) AS samples, avg(sm_clock_mhz) AS clock_mhz,
         avg(reasons LIKE '%,hw_thermal_slowdown,%' OR reasons LIKE '%,sw_thermal_slowdown,%'
             OR reasons LIKE '%,hw_slowdown,%' AND reasons NOT LIKE '%,hw_power_brake_slowdown,%') AS thermal,
         avg(reasons LIKE '%,hw_power_brake_slowdown,%' OR reasons LIKE '%,sw_power_cap,%') AS power,
         min(CASE WHEN reasons LIKE '%slowdown,%' OR reasons LIKE '%,sw_power_cap,%' THEN sample_id END) AS sample_id
    FROM gpu_load GROUP BY worker_id;

CREATE VIEW host_trouble AS           -- kernel messages of a training task's host that make it slow rather than dead
  SELECT w.worker_id, CASE WHEN k.kind = 'xid' THEN 'hardware' WHEN k.kind IN ('link-down', 'nfs') THEN 'network' ELSE 'cpu' END AS cause,
         min(k.id) AS kernel_id, count(*) AS n
    FROM kernel_event k JOIN trainer w ON k.owner = w.name OR k.owner = w.host OR k.host = w.host
   WHERE k.kind IN ('xid', 'link-down', 'nfs', 'soft-lockup', 'mce') GROUP BY w.worker_id, 2;

CREATE VIEW slow_cause AS             -- why a task may be slow: what its own host shows and its peers' do not (section 7.4), in order
  SELECT t.worker_id, c.cause, c.place,
         'its GPU was slowed by ' || CASE c.cause WHEN 'thermal' THEN 'heat' ELSE 'its power limit' END || ' in '
           || CAST(round(100 * CASE c.cause WHEN 'thermal' THEN t.thermal ELSE t.power END) AS INTEGER) || ' % of the samples under load'
           || coalesce(' (' || CAST(t.clock_mhz AS INTEGER) || ' MHz, peers '
                || (SELECT CAST(max(o.clock_mhz) AS INTEGER) FROM gpu_throttled o WHERE o.worker_id <> t.worker_id) || ')', '') AS what,
         'gpu:' || t.sample_id AS ref
    FROM gpu_throttled t JOIN (SELECT 'thermal' AS cause, 1 AS place UNION ALL SELECT 'power', 2) c
   WHERE t.samples >= 3 AND CASE c.cause WHEN 'thermal' THEN t.thermal ELSE t.power END >= 0.6
     AND EXISTS (SELECT 1 FROM gpu_throttled o WHERE o.worker_id <> t.worker_id)
     AND NOT EXISTS (SELECT 1 FROM gpu_throttled o WHERE o.worker_id <> t.worker_id
                        AND (CASE c.cause WHEN 'thermal' THEN o.thermal ELSE o.power END > 0.2 OR t.clock_mhz >= 0.9 * o.clock_mhz))
  UNION ALL
  SELECT h.worker_id, h.cause, CASE h.cause WHEN 'cpu' THEN 4 WHEN 'network' THEN 5 ELSE 7 END,
         'the kernel of its host, and of no peer''s, reports ' || h.n || ' fault(s) of its '
           || CASE h.cause WHEN 'cpu' THEN 'processors' WHEN 'network' THEN 'network' ELSE 'GPU' END, 'kernel:' || h.kernel_id
    FROM host_trouble h
   WHERE NOT EXISTS (SELECT 1 FROM host_trouble o WHERE o.cause = h.cause AND o.worker_id <> h.worker_id)
  UNION ALL
  SELECT l.worker_id, 'hardware', 7, 'its GPU counts uncorrectable memory errors, its peers'' none', 'gpu:' || min(l.sample_id)
    FROM gpu_load l WHERE l.ecc_uncorrected > 0
     AND NOT EXISTS (SELECT 1 FROM gpu_load o WHERE o.worker_id <> l.worker_id AND o.ecc_uncorrected > 0) GROUP BY l.worker_id
  UNION ALL
  SELECT p.worker_id, 'data', 6, 'its part of the input has ' || p.samples || ' samples, its peers'' at most '
           || (SELECT max(o.samples) FROM input_part o WHERE o.worker_id <> p.worker_id), 'event:' || p.event_id
    FROM input_part p
   WHERE (SELECT count(*) FROM input_part) = (SELECT count(*) FROM trainer)
     AND p.samples >= 1.2 * (SELECT max(o.samples) FROM input_part o WHERE o.worker_id <> p.worker_id)
  UNION ALL
  SELECT i.worker_id, 'input', 3, 'its input pipeline is busy ' || CAST(round(100 * i.producer) AS INTEGER) || ' % of the time, its peers'' are not',
         'profile:' || i.profile_id
    FROM input_limited i
   WHERE i.producer >= 0.8 AND (SELECT count(*) FROM input_limited) >= 2
     AND NOT EXISTS (SELECT 1 FROM input_limited o WHERE o.worker_id <> i.worker_id AND o.limited);

CREATE VIEW printed_time AS           -- parts of the time between two steps, as the step lines of the last generation print them
  SELECT worker_id, generation, stream, seq, step, name, part, us,
         coalesce(CASE WHEN gap_us > 0 AND steps > 0 THEN max(gap_us * 1.0 / steps, us, coalesce(whole_us, 0)) END,  -- lines that came in blocks look closer
                  (whole_us + us) * 1.0) AS period_us  -- no stamps: at most own time and wait
    FROM (SELECT r.worker_id, m.generation, m.stream, m.seq, m.step, v.name, v.part, v.us,
                 coalesce(m.step_time_us, max(CASE WHEN v.part = 'whole' THEN v.us END) OVER (PARTITION BY m.stream, m.seq)) AS whole_us,
                 m.time_raw_us - lag(m.time_raw_us) OVER (PARTITION BY m.stream, m.attempt, v.name ORDER BY m.seq) AS gap_us,
                 m.step - lag(m.step) OVER (PARTITION BY m.stream, m.attempt, v.name ORDER BY m.seq) AS steps
            FROM marker_time v JOIN step_marker m ON m.stream = v.stream AND m.seq = v.seq
                 JOIN stream t ON t.id = m.stream JOIN trainer r ON r.worker_id = t.worker_id AND r.generation = m.generation
           WHERE m.superseded = 0)
   WHERE steps > 0 AND part <> 'whole';  -- the first step traces and compiles
