-- id: host-bound
-- title: devices wait for the host on all tasks
-- class: host-bound
-- needs: profile_step
-- param: high 0.2 share launching and other host work must cost this much of every task's time
-- why: algorithms.md 10: time in which the device computes nothing, nobody waits for input and no collective runs is the host's:
-- launches, Python, callbacks. Only with a device's own record: on a CPU the host's work is the training. The threads of
-- tf.data must be idle, or what looks like other host work is input read by Python (case C64).
WITH task AS (
  SELECT *, (launch_us + other_us) * 1.0 / period_us AS host, launch_us * 1.0 / period_us AS launch, compute_us * 1.0 / period_us AS compute
    FROM profile_task WHERE device IN ('GPU', 'TPU') AND other_us IS NOT NULL AND launch_us IS NOT NULL),
seen AS (
  SELECT count(*) AS tasks, (SELECT count(*) FROM trainer) AS trainers, min(host) AS least, min(launch) AS launch, max(compute) AS compute FROM task)
SELECT NULL AS worker_id, (SELECT max(generation) FROM step_state) AS generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi,
       'supported' AS confidence_cap, v.weight AS weight_db,
       CASE v.kind WHEN 'host-work' THEN 'on each of the ' || s.tasks || ' profiled task(s) at least ' || CAST(round(100 * s.least) AS INTEGER)
                        || ' % of the time is host work' || CASE WHEN s.launch >= 0.15 THEN ', of it launches ' || CAST(round(100 * s.launch) AS INTEGER) || ' %' ELSE '' END
                   ELSE 'the devices compute at most ' || CAST(round(100 * s.compute) AS INTEGER) || ' % of the time, and nobody waits for input' END AS summary,
       (SELECT json_group_array('profile:' || profile_id) FROM (SELECT profile_id FROM task ORDER BY worker_id)) AS evidence_event_ids,
       v.kind AS kind, 'host-bound' AS group_key
  FROM seen s JOIN (SELECT 20 AS weight, 'host-work' AS kind UNION ALL SELECT 10, 'idle-device') v
       JOIN frontier
 WHERE s.tasks > 0 AND s.tasks = s.trainers AND s.least >= :high AND s.compute < 0.8
   AND NOT EXISTS (SELECT 1 FROM input_limited WHERE limited)
