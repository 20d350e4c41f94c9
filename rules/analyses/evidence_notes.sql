-- id: evidence-notes
-- title: what is missing or doubtful in the evidence itself
-- class: data-quality
-- needs: run
-- weight_db: 0
-- param: skew_us 1000000 us clocks further apart than this are worth a remark
-- why: what would make the next post-mortem better: clocks, missing logs, tasks without steps, hangs without stacks, silent
-- deaths without a kernel log. Remarks without weight; they never compete with a failure.
WITH last AS (SELECT max(generation) AS generation FROM step_state),
skew AS (
  SELECT max(clock_offset_us) - min(clock_offset_us) AS us FROM worker WHERE clock_offset_us IS NOT NULL)
SELECT NULL AS worker_id, l.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the clocks of the tasks are up to ' || CAST(round(s.us / 1e6) AS INTEGER) || ' s apart; order comes from steps, not from time stamps' AS summary,
       '[]' AS evidence_event_ids, 'clocks' AS group_key
  FROM last l JOIN skew s WHERE s.us > :skew_us
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       'no log in the bundle of ' || (SELECT group_concat(name, ', ') FROM (SELECT r.name FROM run r WHERE r.generation = l.generation AND NOT r.has_log ORDER BY r.worker_id LIMIT 12)),
       '[]', 'missing-logs'
  FROM last l WHERE EXISTS (SELECT 1 FROM run r WHERE r.generation = l.generation AND NOT r.has_log)
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       'no steps are printed by ' || (SELECT group_concat(name, ', ') FROM (SELECT r.name FROM run r WHERE r.generation = l.generation AND r.has_log AND r.trains AND r.last_step IS NULL ORDER BY r.worker_id LIMIT 12))
         || ' while other tasks print theirs', '[]', 'missing-steps'
  FROM last l
 WHERE EXISTS (SELECT 1 FROM run r WHERE r.generation = l.generation AND r.has_log AND r.trains AND r.last_step IS NULL)
   AND EXISTS (SELECT 1 FROM run r WHERE r.generation = l.generation AND r.last_step IS NOT NULL)
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       'the job hung and no stacks were taken: py-spy dump --native --pid PID on every task, before the kill, tells who waits for whom', '[]', 'no-stacks'
  FROM last l
 WHERE NOT EXISTS (SELECT 1 FROM stack)
   AND EXISTS (SELECT 1 FROM run r WHERE r.generation = l.generation AND r.ending = 'cleaned-up' AND r.last_step IS NOT NULL)
   AND NOT EXISTS (SELECT 1 FROM run r WHERE r.generation = l.generation AND r.ending IN ('crashed', 'left-early', 'told-to-go'))
   AND NOT EXISTS (SELECT 1 FROM exit_record x WHERE x.what IN ('time-limit', 'preempted', 'cancelled'))
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       (SELECT group_concat(r.name, ', ') FROM run r WHERE r.generation = l.generation AND r.ending = 'silent')
         || ' died without a word and no kernel log was collected: dmesg -T of its host tells whether it was killed for memory', '[]', 'no-kernel-log'
  FROM last l
 WHERE NOT EXISTS (SELECT 1 FROM kernel_event)
   AND EXISTS (SELECT 1 FROM run r WHERE r.generation = l.generation AND r.ending = 'silent'
                AND EXISTS (SELECT 1 FROM run v WHERE v.generation = r.generation AND v.ending IN ('victim', 'crashed')))
