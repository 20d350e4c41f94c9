-- id: heartbeat-only
-- title: named by heartbeats alone, and it spoke afterwards
-- class: node-lost
-- kind: spoke-late
-- needs: event
-- weight_db: 25
-- param: wake_factor 3 x its first error comes later than this many times the peers' delay ...
-- param: wake_floor_us 5000000 us ... plus this: it did not run and woke up later
-- why: algorithms.md 4.4: no transport witness names it and its log ends in a communication error. Deadline exceeded on its
-- own heartbeat at about the peers' delay: it ran and could not reach them. Much later, or with a last step that it printed
-- long after its peers: it was frozen, which a process listing shows better (one vote of the same kind). Heartbeats go to
-- the leader. Where all others time out on theirs it is the one that was cut off, whomever it missed first; of a pair, nobody
-- can say which end. Times are compared only inside streams whose stamps are of one clock: a collector's stamps beside the
-- program's own can be hours apart.
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
    FROM ranked d WHERE d.n > 1),
accused AS (SELECT DISTINCT accused_worker_id AS worker_id, generation FROM accusation WHERE kind = 'heartbeat-list' AND void IS NULL),
last_gap AS (  -- from the last printed step but one to the last, by the task's own clock
  SELECT r.worker_id, r.generation, r.last_step, max((SELECT m.time_raw_us FROM step_marker m WHERE m.stream = t.id AND m.attempt = r.attempt ORDER BY m.seq DESC LIMIT 1)
           - (SELECT m.time_raw_us FROM step_marker m WHERE m.stream = t.id AND m.attempt = r.attempt ORDER BY m.seq DESC LIMIT 1 OFFSET 1)) AS us
    FROM run r JOIN stream t ON t.worker_id = r.worker_id
   WHERE r.last_step IS NOT NULL AND r.generation IN (SELECT generation FROM accused) GROUP BY r.worker_id, r.generation),
stalled AS (  -- it printed a step long after its peers had printed the same one: it woke up in the middle of it
  SELECT g.worker_id, g.generation, g.us FROM last_gap g JOIN accused a ON a.worker_id = g.worker_id AND a.generation = g.generation
   WHERE g.us > :wake_floor_us + :wake_factor * (SELECT max(p.us) FROM last_gap p WHERE p.generation = g.generation AND p.last_step = g.last_step AND p.worker_id <> g.worker_id)),
spoke AS (
  SELECT d.worker_id, d.generation, d.event_id, r.name, r.leader, coalesce(w.us, d.us) AS us, w.us IS NOT NULL AS woke,
         w.us IS NOT NULL OR coalesce(d.us > :wake_factor * p.us + :wake_floor_us, 0)
         -- no stamps: an open connection would have been reset when its peers went, this one was tried anew afterwards
         OR d.us IS NULL AND EXISTS (SELECT 1 FROM event e JOIN event f ON f.stream = e.stream AND f.record_line = e.record_line AND f.id BETWEEN e.id - 16 AND e.id + 16
                      JOIN event_capture t ON t.event_id = f.id AND t.name = 'inner_text' WHERE e.id = d.event_id AND t.value LIKE '%Connection refused%') AS late
    FROM delay d JOIN run r ON r.worker_id = d.worker_id AND r.generation = d.generation
         LEFT JOIN others p ON p.worker_id = d.worker_id AND p.generation = d.generation
         LEFT JOIN stalled w ON w.worker_id = d.worker_id AND w.generation = d.generation),
suspect AS (
  SELECT s.*, 'own' AS side FROM spoke s JOIN accused a ON a.worker_id = s.worker_id AND a.generation = s.generation WHERE s.late
  UNION ALL  -- the leader names whom it missed first; who else timed out was cut off as well
  SELECT s.*, CASE WHEN c.lost = 1 THEN 'own' ELSE 'several' END FROM spoke s JOIN leader_contact c ON c.generation = s.generation
    JOIN heartbeat_timeout t ON t.worker_id = s.worker_id AND t.generation = s.generation
   WHERE NOT s.late AND c.lost < c.logged AND EXISTS (SELECT 1 FROM accused a WHERE a.generation = s.generation)
  UNION ALL
  SELECT s.*, CASE WHEN c.lost = c.others AND c.others > 1 THEN 'leader' ELSE 'either' END FROM spoke s JOIN leader_contact c ON c.generation = s.generation
   WHERE s.leader AND c.lost > 0 AND c.lost = c.logged AND EXISTS (SELECT 1 FROM accused a WHERE a.generation = s.generation)
     AND NOT EXISTS (SELECT 1 FROM spoke o WHERE o.generation = s.generation AND o.late AND o.worker_id <> s.worker_id))
SELECT CASE WHEN late OR side <> 'either' THEN d.worker_id END AS worker_id, d.generation, NULL AS step_lo, NULL AS step_hi,
       CASE WHEN late AND us IS NULL OR NOT late AND side = 'either' THEN 'supported' END AS confidence_cap, NULL AS weight_db,
       CASE WHEN woke THEN d.name || ' wrote nothing for ' || (d.us / 1000000) || ' s in the middle of a step that its peers had finished: it did not run'
            WHEN late AND d.us IS NULL THEN d.name || ' found its peers gone already at its first error: it did not run when they failed'
            WHEN late THEN d.name || ' wrote nothing until ' || (d.us / 1000000) || ' s after its last step, when its peers had gone: it did not run'
            WHEN side IN ('own', 'several') THEN d.name || ' could not reach its peers while it ran: its own heartbeat timed out'
            WHEN side = 'leader' THEN 'no other task could reach ' || d.name || ', which leads and ran: all their heartbeats timed out'
            ELSE d.name || ' and ' || (SELECT group_concat(name, ', ') FROM (SELECT w.name FROM heartbeat_timeout t JOIN worker w ON w.id = t.worker_id
                                                                              WHERE t.generation = d.generation ORDER BY w.id LIMIT 4))
                 || ' ran and lost each other: nothing tells which of them was cut off' END AS summary,
       (SELECT json_group_array(id) FROM (
          SELECT d.event_id AS id UNION SELECT * FROM (SELECT t.event_id FROM heartbeat_timeout t WHERE t.generation = d.generation AND side IN ('leader', 'either')
                                                        ORDER BY t.worker_id LIMIT 3))) AS evidence_event_ids,
       CASE WHEN late THEN 'hang-frozen' ELSE 'node-lost' END AS class, CASE WHEN late THEN NULL ELSE 'link-down' END AS cause,
       CASE WHEN late THEN 'process-state' END AS kind,
       CASE WHEN NOT late AND side IN ('several', 'either') THEN side END AS group_key
  FROM suspect d
