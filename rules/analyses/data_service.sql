-- id: data-service
-- title: tasks wait for a tf.data service that does not answer
-- class: hang-input
-- needs: event
-- weight_db: 25
-- why: algorithms.md 4.3 c, scenario C2: a client repeats its call for ever, so a service that is gone makes a task hang in its
-- input. On all tasks alike the service is the cause and no task; on one of several it is that task's own way to it. After a
-- later step the service was back (G1). Stacks that all stand in the input pipeline say the same of all (+15).
WITH retry AS (
  SELECT e.worker_id, e.generation, max(e.id) AS event_id FROM event e JOIN trainer r ON r.worker_id = e.worker_id AND r.generation = e.generation
   WHERE e.signature_id = 'data-service' AND e.outcome IN ('unresolved', 'terminal') GROUP BY e.worker_id),
hung AS (
  SELECT r.worker_id, r.generation, r.name, r.has_log FROM run r JOIN trainer t ON t.worker_id = r.worker_id AND t.generation = r.generation
   WHERE r.ending IN ('cleaned-up', 'silent', 'unknown', 'absent')),
seen AS (
  SELECT count(*) AS tasks, (SELECT count(*) FROM trainer WHERE worker_id IN (SELECT worker_id FROM hung WHERE has_log)) AS logs,
         (SELECT count(*) FROM trainer) AS trainers, (SELECT count(*) FROM hung) AS hung FROM retry),
waiting AS (
  SELECT o.worker_id, min(t.id) AS thread_id FROM stack_thread t JOIN stack_owner o ON o.stack_id = t.stack_id JOIN hung h ON h.worker_id = o.worker_id
   WHERE t.class = 'input' OR t.frames LIKE '%DataServiceClient%' GROUP BY o.worker_id)
SELECT CASE WHEN s.tasks = s.logs THEN NULL ELSE r.worker_id END AS worker_id, r.generation, NULL AS step_lo, NULL AS step_hi,
       CASE WHEN s.logs < s.trainers THEN 'supported' END AS confidence_cap, NULL AS weight_db,
       CASE WHEN s.tasks = s.logs THEN 'every task calls a tf.data service in vain: the service is gone or cannot be reached'
            ELSE h.name || ' calls a tf.data service in vain; its peers do not' END AS summary,
       (SELECT json_group_array(event_id) FROM (SELECT event_id FROM retry q WHERE s.tasks = s.logs OR q.worker_id = r.worker_id ORDER BY q.worker_id LIMIT 4)) AS evidence_event_ids,
       'service-lost' AS kind, CASE WHEN s.tasks = s.logs THEN 'data-service' END AS group_key
  FROM retry r JOIN hung h ON h.worker_id = r.worker_id JOIN seen s
 WHERE s.hung = s.trainers AND (s.tasks = s.logs OR s.tasks = 1)
UNION ALL
SELECT NULL, max(h.generation), NULL, NULL, NULL, 15, 'the stack of every task stands in its input pipeline',
       (SELECT json_group_array('thread:' || thread_id) FROM waiting), 'stacks', 'data-service'
  FROM hung h JOIN seen s WHERE s.tasks > 0 AND s.tasks = s.logs AND s.hung = s.trainers AND (SELECT count(*) FROM waiting) = s.trainers
HAVING count(*) > 0
