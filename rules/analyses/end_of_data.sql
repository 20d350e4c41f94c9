-- id: end-of-data
-- title: the input ended and the tasks stayed in a collective
-- class: uneven-data
-- kind: end-of-data
-- needs: event
-- explains: coll-start-abort, coll-ring-abort
-- weight_db: 25
-- why: algorithms.md 4.4: an end of the sequence without the derived mark belongs to the task that prints it. Where nobody
-- stepped or failed by itself afterwards, those tasks ran out of batches. When all of them did in the same step, nobody's
-- share was shorter: before 2.3 the strategy cannot reduce the smaller last batch of an epoch.
WITH own_end AS (
  SELECT e.generation, e.worker_id, min(e.id) AS event_id FROM event e
   WHERE e.signature_id = 'coll-start-abort' AND e.outcome <> 'progressed_after' AND e.worker_id IS NOT NULL
     AND (e.text LIKE '%Out of range: End of sequence%' OR e.text LIKE '%OUT_OF_RANGE: End of sequence%')
   GROUP BY e.generation, e.worker_id),
stuck AS (
  SELECT r.generation, count(*) AS tasks, sum(o.worker_id IS NOT NULL) AS ended
    FROM run r LEFT JOIN own_end o ON o.worker_id = r.worker_id AND o.generation = r.generation
   WHERE r.trains AND r.has_log GROUP BY r.generation
  HAVING sum(r.ending NOT IN ('cleaned-up', 'silent', 'victim', 'unknown')) = 0),
old_release AS (
  SELECT 1 FROM environment n WHERE n.component = 'tensorflow' AND (n.version GLOB '1.*' OR n.version GLOB '2.[012].*'))
SELECT CASE WHEN s.ended < s.tasks THEN o.worker_id END AS worker_id, o.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       CASE WHEN s.ended < s.tasks THEN r.name || ' ran out of batches while its peers were in a collective'
            ELSE 'all tasks reached the end of their data in the same step and did not get past it' END AS summary,
       json_array(o.event_id) AS evidence_event_ids,
       CASE WHEN s.ended = s.tasks AND EXISTS (SELECT 1 FROM old_release) THEN 'short-batch' ELSE 'exhausted' END AS cause,
       CASE WHEN s.ended = s.tasks THEN 'all' END AS group_key
  FROM own_end o JOIN stuck s ON s.generation = o.generation
       JOIN run r ON r.worker_id = o.worker_id AND r.generation = o.generation
