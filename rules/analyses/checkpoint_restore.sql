-- id: checkpoint-restore
-- title: restoring a damaged checkpoint failed
-- class: checkpoint-corrupt
-- kind: restore-failed
-- needs: event
-- explains: ckpt-checksum, ckpt-missing-file, ckpt-shard-missing
-- weight_db: 40
-- why: algorithms.md 4.6: the restore itself says that bytes are wrong or missing. The step is the checkpoint's, the writer
-- is unknown, so nobody is named.
WITH words AS (
  SELECT t.generation, t.class, json_group_array(t.event_id) AS ids, min(k.value) AS prefix
    FROM root_text t LEFT JOIN event_capture k ON k.event_id = t.event_id AND k.name = 'prefix'
   WHERE t.class IN ('checkpoint-corrupt', 'checkpoint-incomplete')
     -- a file that is no prefix is no damage
     AND NOT EXISTS (SELECT 1 FROM event e WHERE e.worker_id = t.worker_id AND e.attempt = t.attempt AND e.signature_id = 'ckpt-not-a-prefix')
   GROUP BY t.generation, t.class),
bad AS (
  SELECT prefix, step, class FROM (
    SELECT c.prefix, c.step,
           CASE WHEN c.completeness IN ('shard-missing', 'data-no-index', 'temp-only', 'absent') THEN 'checkpoint-incomplete' ELSE 'checkpoint-corrupt' END AS class
      FROM checkpoint c WHERE c.completeness <> 'complete' OR c.integrity = 'crc-bad') ORDER BY step DESC)
SELECT NULL AS worker_id, w.generation,
       (SELECT max(b.step) FROM bad b) AS step_lo, (SELECT max(b.step) FROM bad b) AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'restoring failed on damaged bytes' || coalesce(': ' || (SELECT b.prefix FROM bad b LIMIT 1), coalesce(': ' || w.prefix, '')) AS summary,
       w.ids AS evidence_event_ids, w.class AS class, (SELECT b.prefix FROM bad b LIMIT 1) AS group_key
  FROM words w
