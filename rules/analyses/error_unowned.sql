-- id: error-unowned
-- title: an error of a task that nothing names
-- class: user-exception
-- kind: own-words
-- needs: event
-- weight_db: 25
-- why: algorithms.md 1.8 and 4.6: in a file of all tasks' lines that nothing tells apart, an uncaught exception or a crash that is no
-- communication error is somebody's own words. It says what happened and where in the program, never to whom, and the word is
-- capped; where several files tell different first errors nothing says which came first.
WITH own AS (
  SELECT e.id, e.stream, e.seq, e.source_id, e.record_line, e.kind, x.value AS exception, coalesce(c.value, m.value) AS message, f.value AS function,
         p.value AS file, l.value AS line, row_number() OVER (PARTITION BY e.stream ORDER BY e.seq) AS n
    FROM event e JOIN stream t ON t.id = e.stream
         LEFT JOIN event_capture k ON k.event_id = e.id AND k.name = 'communication'
         LEFT JOIN event_capture h ON h.event_id = e.id AND h.name = 'fatal'
         LEFT JOIN event_capture x ON x.event_id = e.id AND x.name = 'exception'
         LEFT JOIN event_capture m ON m.event_id = e.id AND m.name = 'message'
         LEFT JOIN event_capture c ON c.event_id = e.id AND c.name = 'crash'
         LEFT JOIN event_capture f ON f.event_id = e.id AND f.name = 'function'
         LEFT JOIN event_capture p ON p.event_id = e.id AND p.name = 'file'
         LEFT JOIN event_capture l ON l.event_id = e.id AND l.name = 'line'
   WHERE e.worker_id IS NULL AND t.worker_id IS NULL AND coalesce(k.value, '0') <> '1' AND (e.kind = 'crash' OR e.kind = 'traceback' AND h.value = '1')
     -- everybody went on: a thread or a child of theirs, or somebody who caught it
     AND coalesce((SELECT max(v.step) FROM step_marker v WHERE v.stream = e.stream AND v.seq > e.seq), 0)
         <= coalesce((SELECT max(v.step) FROM step_marker v WHERE v.stream = e.stream AND v.seq < e.seq), 0) + 1
     AND NOT EXISTS (SELECT 1 FROM handed_on o WHERE o.stream = e.stream AND o.record_line = e.record_line)),
first AS (SELECT * FROM own WHERE n = 1),
told AS (  -- a class that the text itself gives
  SELECT f.id, r.class, r.cause, r.title, row_number() OVER (PARTITION BY f.id ORDER BY e.seq, e.id) AS n
    FROM first f JOIN event e ON e.stream = f.stream AND e.record_line = f.record_line AND e.source_id = f.source_id
         JOIN signature_rule r ON r.id = e.signature_id
   WHERE e.worker_id IS NULL AND r.role = 'root' AND r.class IS NOT NULL AND r.class <> 'user-exception'),
last AS (SELECT * FROM step_state ORDER BY generation DESC LIMIT 1),
before AS (SELECT f.id, f.stream, max(v.step) AS step FROM first f JOIN step_marker v ON v.stream = f.stream AND v.seq < f.seq GROUP BY f.id),
place AS (  -- tasks in step are at most one printed step apart: whoever wrote it was on the way to the last step that is printed before it, or to the next
  SELECT b.id, b.step AS step_lo, 2 * b.step - max(v.step) AS step_hi FROM before b JOIN step_marker v ON v.stream = b.stream AND v.step < b.step
    JOIN last l ON l.synchronous = 1 AND l.unit = 'step' GROUP BY b.id)
SELECT NULL AS worker_id, coalesce(l.generation, 0) AS generation, p.step_lo, p.step_hi, 'supported' AS confidence_cap,
       CASE WHEN f.kind = 'crash' OR t.class IS NOT NULL THEN 35 END AS weight_db,
       'a task that nothing names ' || CASE f.kind WHEN 'crash' THEN 'crashed: ' || coalesce(f.message, 'fatal signal')
         ELSE 'raised ' || coalesce(f.exception, 'an exception') || coalesce(': ' || nullif(substr(f.message, 1, 160), ''), '') END
         || coalesce(' in ' || f.function || ' (' || f.file || ':' || f.line || ')', '') AS summary,
       json_array(f.id) AS evidence_event_ids,
       CASE WHEN t.class IS NOT NULL THEN t.class WHEN f.kind = 'crash' THEN 'native-crash' ELSE 'user-exception' END AS class,
       CASE WHEN t.class IS NOT NULL THEN t.cause
            WHEN f.kind = 'crash' THEN CASE WHEN f.message LIKE '%check%' THEN 'check-failed' WHEN f.message LIKE '%seg%' THEN 'segfault' ELSE 'abort' END
            WHEN f.exception = 'AssertionError' THEN 'assertion'
            WHEN f.exception = 'KeyError' THEN 'key-error'
            WHEN f.message LIKE '%shape%' THEN 'shape-mismatch'
            WHEN f.exception IS NOT NULL THEN lower(f.exception) END AS cause,
       'unowned' AS group_key
  FROM first f LEFT JOIN told t ON t.id = f.id AND t.n = 1 LEFT JOIN place p ON p.id = f.id LEFT JOIN last l ON 1
 WHERE (SELECT count(DISTINCT coalesce(exception, '') || coalesce(message, '')) FROM first) = 1
   AND f.id = (SELECT min(id) FROM first)
