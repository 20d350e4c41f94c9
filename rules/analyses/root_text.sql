-- id: root-text
-- title: a task's own last words name the fault
-- class: *
-- kind: own-words
-- needs: event
-- weight_db: 35
-- why: algorithms.md 4.6: a fatal text of the task's own whose type says the class (memory, data loss, out of range, NaN,
-- TF_CONFIG, bind, no space), with no step after it and not handed on from another task. Outside the record that ended
-- the task the text is worth 10 dB less.
WITH words AS (
  SELECT t.*, r.name, r.ending, r.last_step,
         row_number() OVER (PARTITION BY t.worker_id, t.attempt, t.class
                            ORDER BY t.in_terminal DESC, t.cause IS NULL, t.seq) AS n,
         -- what NCCL itself says of an adapter or a link; the exceptions on all tasks only say that it failed
         max(t.cause IS NOT NULL AND t.cause <> 'nccl') OVER (PARTITION BY t.worker_id, t.attempt, t.class) AS is_specific,
         max(CASE WHEN t.cause <> 'nccl' THEN t.cause END) OVER (PARTITION BY t.generation, t.class) AS specific_cause
    FROM root_text t JOIN run r ON r.worker_id = t.worker_id AND r.attempt = t.attempt
   WHERE t.class NOT IN ('user-exception', 'checkpoint-corrupt', 'checkpoint-incomplete', 'time-limit', 'cancelled')
     AND t.peer_worker_id IS NULL
     AND (t.in_terminal AND r.ending = 'crashed' OR NOT t.in_terminal AND r.ending IN ('crashed', 'cut', 'silent', 'victim'))
     AND (t.class NOT IN ('network-unreachable', 'collective-fabric') OR r.last_step IS NULL OR t.in_terminal
          OR t.class = 'collective-fabric' AND t.cause <> 'nccl' AND r.ending = 'crashed')
     AND t.signature_id NOT IN ('coll-instance-type', 'coll-shape-mismatch', 'coll-group-size', 'coll-group-type', 'nccl-version-mismatch')
     AND NOT (t.class = 'collective-fabric' AND EXISTS (SELECT 1 FROM event v WHERE v.signature_id = 'nccl-version-mismatch' AND v.generation = t.generation))
     -- behind the exception that ended it a crash belongs to the tear-down
     AND NOT (t.class = 'native-crash' AND r.ending = 'victim' AND t.seq > (SELECT v.seq FROM event v WHERE v.id = r.terminal_event_id))
     AND NOT (t.signature_id = 'data-service' AND NOT t.in_terminal)  -- a call repeated in vain: a hang (data-service)
     AND NOT (t.signature_id = 'cuda-launch-failed' AND EXISTS (SELECT 1 FROM kernel_event k WHERE k.xid IN (13, 31, 43)))),
judged AS (  -- a guard sees the values that all tasks share: whoever it stops first need not be where they came from
  SELECT w.*, w.signature_id IN ('nan-hook', 'terminate-on-nan', 'nan-summary')
         AND w.generation IN (SELECT generation FROM run WHERE trains GROUP BY generation HAVING count(*) > 1)
         AND w.generation NOT IN (SELECT generation FROM nan_onset WHERE mode = 'local') AS shared_nan
    FROM words w)
SELECT CASE WHEN class = 'collective-fabric' AND NOT is_specific OR shared_nan THEN NULL ELSE worker_id END AS worker_id, generation, NULL AS step_lo, NULL AS step_hi,
       -- a kernel that failed without an address is the device's fault or the program's: never sure from the log alone
       -- (a hook that saw a value that is no number says nothing of where it came from)
       CASE WHEN signature_id = 'cuda-launch-failed' OR class = 'nan' AND NOT EXISTS (SELECT 1 FROM nan_onset) THEN 'supported' END AS confidence_cap,
       CASE WHEN in_terminal THEN 35 ELSE 25 END AS weight_db,
       name || ': ' || title AS summary,
       json_array(event_id) AS evidence_event_ids, class, CASE class WHEN 'collective-fabric' THEN coalesce(specific_cause, cause) ELSE cause END AS cause,
       CASE WHEN class = 'collective-fabric' THEN 'fabric' WHEN shared_nan THEN 'reduced' END AS group_key
  FROM judged WHERE n = 1
