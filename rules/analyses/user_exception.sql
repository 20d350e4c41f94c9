-- id: user-exception
-- title: an exception of the program ended a task
-- class: user-exception
-- kind: own-words
-- needs: run
-- explains: coll-start-abort, coll-aborted-by, coll-ring-abort, coord-unhealthy, additional-grpc-info, grpc-reset
-- weight_db: 25
-- why: algorithms.md 4.6: a fatal traceback that is no communication error, with no step after it. An exception whose
-- text gives a class of its own is that class's (root-text), not this one.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' raised ' || coalesce(x.value, 'an exception') || coalesce(': ' || nullif(substr(m.value, 1, 160), ''), '')
         || coalesce(' in ' || f.value || ' (' || p.value || ':' || l.value || ')', '') AS summary,
       json_array(e.id) AS evidence_event_ids,
       CASE WHEN x.value = 'AssertionError' THEN 'assertion'
            WHEN x.value = 'KeyError' THEN 'key-error'
            WHEN m.value LIKE '%shape%' THEN 'shape-mismatch'
            WHEN x.value IS NOT NULL THEN lower(x.value) END AS cause
  FROM run r JOIN event e ON e.id = r.terminal_event_id
       LEFT JOIN event_capture x ON x.event_id = e.id AND x.name = 'exception'
       LEFT JOIN event_capture m ON m.event_id = e.id AND m.name = 'message'
       LEFT JOIN event_capture f ON f.event_id = e.id AND f.name = 'function'
       LEFT JOIN event_capture p ON p.event_id = e.id AND p.name = 'file'
       LEFT JOIN event_capture l ON l.event_id = e.id AND l.name = 'line'
 WHERE r.ending = 'crashed' AND e.kind = 'traceback'
   AND NOT EXISTS (SELECT 1 FROM root_text t
                    WHERE t.worker_id = r.worker_id AND t.attempt = r.attempt AND t.in_terminal AND t.class <> 'user-exception')
   -- NCCL's report that another rank went away is no exception of the program, whatever type carries it.
   AND NOT EXISTS (SELECT 1 FROM event c WHERE c.stream = e.stream AND c.record_line = e.record_line AND c.signature_id = 'nccl-remote'
                                           AND c.id BETWEEN e.id - 16 AND e.id + 16)
