-- id: witness
-- title: peers name it
-- class: *
-- needs: event
-- why: algorithms.md 4.4: a connection the peer closed is a first-hand witness (+20); the leader's heartbeat list is one
-- statement however often it is copied (+15); a task that a barrier or a stall report lists as missing (+30). Victims,
-- finished tasks and overruled lists weigh nothing.
SELECT a.accused_worker_id AS worker_id, a.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap,
       CASE a.kind WHEN 'transport-witness' THEN 20 WHEN 'heartbeat-list' THEN 15 WHEN 'health-check' THEN 15 ELSE 30 END AS weight_db,
       w.name || CASE a.kind WHEN 'transport-witness' THEN ' closed its connection to a peer in the middle of a step'
                             WHEN 'heartbeat-list' THEN ' stopped sending heartbeats, says the leader'
                             WHEN 'health-check' THEN ' did not answer a peer''s health check'
                             ELSE ' is listed as missing' END AS summary,
       json_array(min(a.event_id)) AS evidence_event_ids, a.kind AS kind
  FROM accusation a JOIN worker w ON w.id = a.accused_worker_id
 WHERE a.void IS NULL AND a.kind IN ('transport-witness', 'heartbeat-list', 'health-check', 'barrier-missing', 'stall-missing')
 GROUP BY a.accused_worker_id, a.generation, a.kind
