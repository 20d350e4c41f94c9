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
   AND (r.worker_id, r.generation) NOT IN (SELECT accused_worker_id, generation FROM accusation
                                            WHERE kind IN ('heartbeat-list', 'no-answer') AND void IS NULL)
   AND NOT (r.leader AND r.generation IN (SELECT generation FROM leader_contact WHERE lost > 0 AND lost = logged))
