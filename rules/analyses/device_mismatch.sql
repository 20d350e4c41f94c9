-- id: device-mismatch
-- title: the tasks expose different devices
-- class: device-mismatch
-- kind: devices
-- needs: event
-- explains: coll-group-size, coll-group-type, multi-root
-- weight_db: 40
-- why: algorithms.md 11, must be equal: number and kind of devices per task. The error of the group names whoever came
-- last, mostly a task in order; who differs is told by what each task opened. A task without a GPU among tasks with GPUs, or
-- the minority; between two counts nobody. Without an error of the group it is a remark.
WITH opened AS (
  SELECT e.worker_id, count(DISTINCT c.value) AS gpus, min(e.id) AS event_id
    FROM event e JOIN event_capture c ON c.event_id = e.id AND c.name = 'device'
   WHERE e.signature_id = 'device-created' AND c.value LIKE '%GPU:%' AND e.worker_id IS NOT NULL GROUP BY e.worker_id),
declared AS (
  SELECT e.worker_id, (length(c.value) - length(replace(c.value, 'GPU:', ''))) / 4 AS gpus, min(e.id) AS event_id
    FROM event e JOIN event_capture c ON c.event_id = e.id AND c.name = 'device'
   WHERE e.signature_id = 'mwms-config' AND e.worker_id IS NOT NULL GROUP BY e.worker_id),
servers AS (SELECT worker_id, min(id) AS event_id FROM event WHERE signature_id = 'server-started' AND worker_id IS NOT NULL GROUP BY worker_id),
devices AS (  -- devices are opened before the server: a task that has one and opened none has none
  SELECT r.worker_id, r.name, r.generation, r.last_step, coalesce(d.gpus, o.gpus, 0) AS gpus, coalesce(d.event_id, o.event_id, s.event_id) AS event_id
    FROM run r LEFT JOIN declared d ON d.worker_id = r.worker_id LEFT JOIN opened o ON o.worker_id = r.worker_id LEFT JOIN servers s ON s.worker_id = r.worker_id
   WHERE r.trains AND r.generation = (SELECT max(generation) FROM step_state) AND coalesce(d.event_id, o.event_id, s.event_id) IS NOT NULL
     -- the coordinator of a parameter-server job computes nothing
     AND NOT (r.type = 'chief' AND EXISTS (SELECT 1 FROM worker p WHERE p.type = 'ps'))),
votes AS (SELECT gpus, count(*) AS n FROM devices GROUP BY gpus),
usual AS (SELECT gpus FROM votes WHERE n * 2 > (SELECT count(*) FROM devices)),
refused AS (
  SELECT min(e.id) AS event_id FROM event e
   WHERE e.signature_id IN ('coll-group-size', 'coll-group-type') AND e.outcome <> 'progressed_after' HAVING count(*) > 0),
odd AS (
  SELECT d.* FROM devices d
   WHERE CASE WHEN EXISTS (SELECT 1 FROM usual) THEN d.gpus <> (SELECT gpus FROM usual)
              WHEN EXISTS (SELECT 1 FROM devices z WHERE z.gpus = 0) THEN d.gpus = 0 ELSE 1 END)
SELECT CASE WHEN EXISTS (SELECT 1 FROM usual) OR o.gpus = 0 THEN o.worker_id END AS worker_id, o.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap,
       CASE WHEN f.event_id IS NULL OR (SELECT max(last_step) FROM devices) IS NOT NULL THEN 0 ELSE 40 END AS weight_db,
       'the tasks expose different devices: ' || (SELECT group_concat(name || ' ' || CASE gpus WHEN 0 THEN 'no GPU' WHEN 1 THEN '1 GPU' ELSE gpus || ' GPUs' END, ', ')
                                                    FROM (SELECT name, gpus FROM devices ORDER BY worker_id LIMIT 12)) AS summary,
       (SELECT json_group_array(id) FROM (SELECT f.event_id AS id WHERE f.event_id IS NOT NULL
          UNION ALL SELECT event_id FROM (SELECT d.event_id FROM devices d ORDER BY d.worker_id LIMIT 6))) AS evidence_event_ids,
       CASE WHEN NOT EXISTS (SELECT 1 FROM usual) AND o.gpus > 0 THEN 'counts' END AS group_key
  FROM odd o LEFT JOIN refused f
 WHERE (SELECT count(DISTINCT c.cluster_id) FROM config_of c WHERE c.cluster_id IS NOT NULL) <= 1  -- else the lists differ, and the sizes with them
   AND (SELECT count(DISTINCT gpus) FROM devices) > 1
