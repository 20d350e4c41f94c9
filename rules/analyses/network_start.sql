-- id: network-start
-- title: a task could not reach a peer that was there
-- class: network-unreachable
-- kind: own-words
-- needs: event
-- weight_db: 30
-- why: algorithms.md 4.2 D0: no route, no name or no answer before anybody stepped. Where a peer crashed or is gone by itself the
-- same words only say so, and they are no evidence.
SELECT e.worker_id, e.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' could not reach its peers at start: ' || s.title AS summary,
       json_array(min(e.id)) AS evidence_event_ids, max(s.cause) AS cause
  FROM event e JOIN signature_rule s ON s.id = e.signature_id AND s.class = 'network-unreachable' AND s.role = 'root'
       JOIN run r ON r.worker_id = e.worker_id AND r.attempt = e.attempt JOIN step_state g ON g.generation = e.generation AND g.frontier IS NULL
 WHERE e.outcome <> 'progressed_after' AND r.ending IN ('victim', 'crashed', 'cut')
   AND NOT EXISTS (SELECT 1 FROM run v WHERE v.generation = e.generation AND v.worker_id <> e.worker_id
                    AND v.ending IN ('crashed', 'cut', 'silent', 'finished', 'absent') AND (v.ending <> 'absent' OR v.in_cluster))
 GROUP BY e.worker_id, e.generation
