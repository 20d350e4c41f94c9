-- id: native-crash
-- title: a signal or a failed check of native code ended a task
-- class: native-crash
-- kind: own-words
-- needs: run
-- explains: coll-start-abort, coll-aborted-by, coord-unhealthy
-- weight_db: 35
-- why: algorithms.md 4.6: a fatal signal, glibc or CHECK abort text. Without words only exit codes 134 and 139 tell, and
-- then the word is capped. A failed check aborts: the handler's word after it is only its echo.
WITH failed_check AS (
  SELECT e.worker_id, e.attempt, max(e.id) AS event_id FROM event e
   WHERE e.signature_id = 'cxx-check-failed' AND e.outcome <> 'progressed_after' GROUP BY e.worker_id, e.attempt)
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' crashed in native code: ' || coalesce(substr(k.text, 1, 200), c.value, 'fatal signal')
         || coalesce(' in ' || f.value || ' (' || p.value || ':' || l.value || ')', '') AS summary,
       CASE WHEN k.id IS NULL THEN json_array(e.id) ELSE json_array(k.id, e.id) END AS evidence_event_ids,
       CASE WHEN k.id IS NOT NULL OR c.value LIKE '%check%' THEN 'check-failed' WHEN lower(c.value) LIKE '%seg%' THEN 'segfault' ELSE 'abort' END AS cause
  FROM run r JOIN event e ON e.id = r.terminal_event_id
       LEFT JOIN failed_check h ON h.worker_id = r.worker_id AND h.attempt = r.attempt
       LEFT JOIN event k ON k.id = h.event_id
       LEFT JOIN event_capture c ON c.event_id = e.id AND c.name = 'crash'
       LEFT JOIN event_capture f ON f.event_id = e.id AND f.name = 'function'
       LEFT JOIN event_capture p ON p.event_id = e.id AND p.name = 'file'
       LEFT JOIN event_capture l ON l.event_id = e.id AND l.name = 'line'
 WHERE r.ending = 'crashed' AND e.kind = 'crash'
UNION ALL
SELECT r.worker_id, r.generation, NULL, NULL, 'supported', 25,
       r.name || ' exited with ' || r.exit_code || ' and left no word of its own',
       (SELECT json_group_array('exit:' || x.exit_id) FROM abnormal_exit x WHERE x.worker_id = r.worker_id AND x.attempt = r.attempt),
       CASE r.exit_code WHEN 139 THEN 'segfault' ELSE 'abort' END
  FROM run r
 WHERE r.exit_code IN (134, 139) AND r.ending IN ('crashed', 'absent')
   AND NOT EXISTS (SELECT 1 FROM event e WHERE e.id = r.terminal_event_id AND e.kind IN ('crash', 'traceback'))
