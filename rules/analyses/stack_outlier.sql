-- id: stack-outlier
-- title: one task has a thread where no peer has one
-- class: hang-input
-- needs: stack_thread
-- weight_db: 35
-- why: algorithms.md 4.5: an input, checkpoint or user thread that no peer has, compared with at least one peer's dump
-- (G10). The main threads of culprit and victims look the same.
WITH kind_of AS (
  SELECT w.id AS worker_id, w.name, t.class, min(t.id) AS thread_id, min(t.frame) AS frame
    FROM stack_owner o JOIN stack_thread t ON t.stack_id = o.stack_id JOIN worker w ON w.id = o.worker_id
   WHERE t.class IN ('input', 'checkpoint', 'user') AND w.type IS NOT 'ps'
   GROUP BY w.id, t.class),
dumped AS (SELECT count(DISTINCT o.worker_id) AS n FROM stack k JOIN stack_owner o ON o.stack_id = k.id WHERE k.failed IS NULL)
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || CASE k.class WHEN 'input' THEN ' sits in its input pipeline' WHEN 'checkpoint' THEN ' sits in checkpoint I/O' ELSE ' sits in the program''s own code' END
         || coalesce(': ' || k.frame, '') || '; no peer has such a thread' AS summary,
       json_array('thread:' || k.thread_id) AS evidence_event_ids,
       CASE k.class WHEN 'input' THEN 'hang-input' WHEN 'checkpoint' THEN 'hang-checkpoint' ELSE 'hang-user-code' END AS class
  FROM kind_of k JOIN run r ON r.worker_id = k.worker_id JOIN dumped d
 WHERE d.n >= 2 AND r.generation = (SELECT max(generation) FROM step_state)
   AND r.ending IN ('cleaned-up', 'silent', 'victim', 'unknown', 'absent')
   AND NOT EXISTS (SELECT 1 FROM kind_of o WHERE o.worker_id <> k.worker_id AND o.class = k.class)
   AND NOT (k.class = 'user' AND EXISTS (SELECT 1 FROM kind_of o WHERE o.worker_id = k.worker_id AND o.class IN ('input', 'checkpoint')))
