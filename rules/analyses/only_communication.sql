-- id: only-communication
-- title: it wrote nothing but communication errors
-- class: *
-- needs: run
-- weight_db: -20
-- why: algorithms.md 4.6: who ends in communication errors alone is a victim, unless only heartbeats or unanswered
-- connections name it, or it leads and nobody reached it: then it may have been cut off or frozen.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' wrote communication errors only' AS summary, json_array(r.terminal_event_id) AS evidence_event_ids
  FROM run r
 WHERE r.ending = 'victim' AND r.terminal_event_id IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM accusation a WHERE a.accused_worker_id = r.worker_id AND a.generation = r.generation
                    AND a.kind IN ('heartbeat-list', 'no-answer') AND a.void IS NULL)
   AND NOT (r.leader AND EXISTS (SELECT 1 FROM leader_contact c WHERE c.generation = r.generation AND c.lost > 0 AND c.lost = c.logged))
