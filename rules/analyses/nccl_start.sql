-- id: nccl-start
-- title: NCCL began on every task and was ready on none
-- class: collective-fabric
-- cause: nccl
-- kind: communicator
-- needs: event
-- explains: b-nccl, nccl-version
-- weight_db: 20
-- why: algorithms.md 4.3 f at start: all entered, none completed. A blocked interface is the usual reason, but nothing in the
-- logs says so; the line about a missing network plugin is in healthy logs too. Nobody is named.
WITH begun AS (
  SELECT e.generation, e.worker_id, min(e.id) AS event_id FROM event e
   WHERE e.signature_id IN ('nccl-bootstrap', 'nccl-init-start') AND e.worker_id IS NOT NULL GROUP BY e.generation, e.worker_id)
SELECT NULL AS worker_id, s.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       'NCCL started on all ' || count(*) || ' tasks and became ready on none; look at the interface it chose, and at what may block it' AS summary,
       json_group_array(b.event_id) AS evidence_event_ids
  FROM begun b JOIN step_state s ON s.generation = b.generation
 WHERE s.frontier IS NULL
   AND NOT EXISTS (SELECT 1 FROM event e WHERE e.signature_id IN ('nccl-init-complete', 'nccl-connected'))
   AND NOT EXISTS (SELECT 1 FROM run r WHERE r.generation = s.generation AND r.has_log AND r.trains
                    AND (r.ending NOT IN ('silent', 'cleaned-up', 'unknown') OR NOT EXISTS (SELECT 1 FROM begun o WHERE o.worker_id = r.worker_id)))
 GROUP BY s.generation HAVING count(*) >= 2
