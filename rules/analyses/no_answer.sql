-- id: no-answer
-- title: connections to a task that ran got no answer
-- class: network-unreachable
-- cause: firewall
-- kind: no-answer
-- needs: event
-- explains: coll-start-abort, coll-aborted-by, coord-unhealthy
-- weight_db: 35
-- why: algorithms.md 4.2 D0: a dead process refuses a connection, a frozen one still accepts it; no answer at all means that
-- packets to its host are dropped. Its own log goes on after that or ends by the launcher's clean-up, so the process was there. Before
-- anybody stepped the way was never open; later it was lost.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'connections to ' || r.name || ' got no answer from its host, although the task ran' AS summary,
       json_array('event:' || min(a.event_id)) AS evidence_event_ids,
       CASE WHEN g.frontier IS NOT NULL THEN 'node-lost' END AS class, CASE WHEN g.frontier IS NOT NULL THEN 'link-down' END AS cause
  FROM accusation a JOIN run r ON r.worker_id = a.accused_worker_id AND r.generation = a.generation
       JOIN step_state g ON g.generation = a.generation
 WHERE a.kind = 'no-answer' AND a.void IS NULL AND r.ending IN ('victim', 'cleaned-up')
 GROUP BY r.worker_id, r.generation
