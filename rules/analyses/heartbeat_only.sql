-- id: heartbeat-only
-- title: named by heartbeats alone, and it spoke afterwards
-- class: node-lost
-- kind: spoke-late
-- needs: event
-- weight_db: 25
-- param: wake_factor 3 x its first error comes later than this many times the peers' delay ...
-- param: wake_floor_us 5000000 us ... plus this: it did not run and woke up later
-- why: algorithms.md 4.4: no transport witness names it and its log ends in a communication error. Deadline exceeded on its
-- own heartbeat at about the peers' delay: it ran and could not reach them. Much later: it was frozen, which a process
-- listing shows better (one vote of the same kind). Times are compared only inside streams whose stamps are of one clock: a
-- collector's stamps beside the program's own can be hours apart.
WITH first_error AS (
  SELECT r.worker_id, r.generation, min(e.seq) AS seq FROM run r JOIN event e ON e.worker_id = r.worker_id AND e.attempt = r.attempt
         JOIN event_capture k ON k.event_id = e.id AND k.name = 'communication' AND k.value = '1'
   WHERE r.ending = 'victim' AND e.outcome <> 'progressed_after' GROUP BY r.worker_id, r.generation),
stamped AS (
  SELECT e.worker_id, e.time_raw_us - lag(e.time_raw_us) OVER (PARTITION BY e.stream, e.attempt ORDER BY e.seq) AS ahead_us
    FROM event e JOIN first_error f ON f.worker_id = e.worker_id AND f.generation = e.generation WHERE e.time_basis = 'own'),
two_clocks AS (SELECT DISTINCT worker_id FROM stamped WHERE ahead_us < -:wake_floor_us),
delay AS (
  SELECT f.worker_id, f.generation, e.id AS event_id, e.time_raw_us - r.last_us AS us
    FROM first_error f JOIN event e ON e.worker_id = f.worker_id AND e.seq = f.seq
         JOIN run r ON r.worker_id = f.worker_id AND r.generation = f.generation
   WHERE f.worker_id NOT IN (SELECT worker_id FROM two_clocks)
   GROUP BY f.worker_id, f.generation),
ranked AS (  -- the median of all others, without asking all others for each: two neighbours of the middle, less the task itself
  SELECT worker_id, generation, us, row_number() OVER same AS k, count(*) OVER same AS n
    FROM delay WHERE us IS NOT NULL WINDOW same AS (PARTITION BY generation ORDER BY us ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)),
others AS (
  SELECT d.worker_id, d.generation,
         (SELECT avg(p.us) FROM ranked p WHERE p.generation = d.generation
             AND p.k IN (d.n / 2 + (d.n / 2 >= d.k), (d.n + 1) / 2 + ((d.n + 1) / 2 >= d.k))) AS us
    FROM ranked d WHERE d.n > 1)
SELECT d.worker_id, d.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || CASE WHEN late THEN ' wrote nothing until ' || (d.us / 1000000) || ' s after its last step, when its peers had gone: it did not run'
                      ELSE ' could not reach its peers while it ran: its own heartbeat timed out' END AS summary,
       json_array(d.event_id) AS evidence_event_ids,
       CASE WHEN late THEN 'hang-frozen' ELSE 'node-lost' END AS class, CASE WHEN late THEN NULL ELSE 'link-down' END AS cause,
       CASE WHEN late THEN 'process-state' END AS kind
  FROM (SELECT d.*, d.us > :wake_factor * p.us + :wake_floor_us AS late
          FROM delay d LEFT JOIN others p ON p.worker_id = d.worker_id AND p.generation = d.generation) d JOIN run r ON r.worker_id = d.worker_id AND r.generation = d.generation
 WHERE EXISTS (SELECT 1 FROM accusation a WHERE a.accused_worker_id = d.worker_id AND a.generation = d.generation
                AND a.kind = 'heartbeat-list' AND a.void IS NULL)
   AND (late OR EXISTS (SELECT 1 FROM event e WHERE e.worker_id = d.worker_id AND e.generation = d.generation
                         AND e.signature_id = 'grpc-deadline-heartbeat' AND e.outcome <> 'progressed_after'))
