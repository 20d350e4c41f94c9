-- id: evidence-notes
-- title: what is missing or doubtful in the evidence itself
-- class: data-quality
-- needs: run
-- weight_db: 0
-- param: skew_us 1000000 us clocks further apart than this are worth a remark
-- why: what would make the next post-mortem better: clocks, missing logs, tasks without steps, hangs without stacks, silent
-- deaths without a kernel log. Remarks without weight; they never compete with a failure.
WITH last AS (SELECT max(generation) AS generation FROM step_state),
reached AS (
  SELECT generation, name, last_step, row_number() OVER (PARTITION BY generation ORDER BY last_step DESC, worker_id) AS from_top,
         row_number() OVER (PARTITION BY generation ORDER BY last_step, worker_id) AS from_bottom
    FROM (SELECT r.generation, r.worker_id, r.name, max(r.last_step) AS last_step FROM run r
           WHERE r.trains AND r.last_step IS NOT NULL GROUP BY r.generation, r.worker_id)),
skew AS (
  SELECT max(clock_offset_us) - min(clock_offset_us) AS us FROM worker WHERE clock_offset_us IS NOT NULL)
SELECT NULL AS worker_id, l.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the clocks of the tasks are up to ' || CAST(round(s.us / 1e6) AS INTEGER) || ' s apart; order comes from steps, not from time stamps' AS summary,
       '[]' AS evidence_event_ids, 'clocks' AS group_key
  FROM last l JOIN skew s WHERE s.us > :skew_us
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       'the clock of ' || (SELECT group_concat(t, ', ') FROM (
           SELECT w.name || ' looks like a zone offset of ' || printf('%s%02d:%02d', CASE WHEN w.clock_zone_s < 0 THEN '-' ELSE '+' END,
                  abs(w.clock_zone_s) / 3600, abs(w.clock_zone_s) / 60 % 60) AS t FROM worker w WHERE w.clock_zone_s IS NOT NULL ORDER BY w.id LIMIT 12)),
       '[]', 'zones'
  FROM last l WHERE EXISTS (SELECT 1 FROM worker w WHERE w.clock_zone_s IS NOT NULL)
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       'the clock of ' || (SELECT group_concat(t, ', ') FROM (
           SELECT w.name || CASE c.kind WHEN 'dst' THEN ' changed to or from summer time' ELSE printf(' was set by %+.1f s', c.jump_us / 1e6) END
                  || ' while the job ran' AS t
             FROM clock_span c JOIN worker w ON w.id = c.worker_id WHERE c.kind IN ('step', 'dst') AND abs(c.jump_us) > :skew_us ORDER BY w.id, c.n LIMIT 12)),
       '[]', 'clock-steps'
  FROM last l WHERE EXISTS (SELECT 1 FROM clock_span c WHERE c.kind IN ('step', 'dst') AND abs(c.jump_us) > :skew_us)
UNION ALL
SELECT w.id, l.generation, NULL, NULL, NULL, NULL,
       printf('the clock of %s contradicts the steps: %d %% of its lines are stamped before the step before them was over%s; its times are not used for order',
              w.name, CAST(round(100 * w.clock_early_share) AS INTEGER), coalesce(' (most often against ' || v.name || ')', '')), '[]', 'clock-contradiction'
  FROM last l JOIN worker w LEFT JOIN worker v ON v.id = w.clock_worst_worker_id WHERE w.clock_early_share > 0.01
UNION ALL
SELECT w.id, l.generation, NULL, NULL, NULL, NULL,
       'what ' || w.name || ' prints reached its log in blocks: its last steps may be missing, and lines between them are placed by their stamps (PYTHONUNBUFFERED=1 prevents it)',
       '[]', 'buffered'
  FROM last l JOIN worker w WHERE EXISTS (SELECT 1 FROM stream t WHERE t.worker_id = w.id AND t.buffered IS NOT NULL)
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       hi.name || ' completed step ' || hi.last_step || ' and ' || lo.name || ' only step ' || lo.last_step
         || ': they count from different starts, do not train in one synchronous group, or lines of ' || lo.name || ' are missing', '[]', 'contradiction-step'
  FROM last l JOIN step_state s ON s.generation = l.generation AND s.synchronous AND s.unit = 'step'
  JOIN reached hi ON hi.generation = l.generation AND hi.from_top = 1
  JOIN reached lo ON lo.generation = l.generation AND lo.from_bottom = 1
 WHERE hi.last_step - lo.last_step > s.granularity + 3
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
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       'lines without task identity: nothing tells whose ' || (SELECT path FROM source WHERE id = (SELECT min(t.source_id) FROM stream t WHERE t.worker_id IS NULL AND t.records >= 50))
         || ' is; prefix every line with task type and index', '[]', 'no-identity'
  FROM last l
 WHERE EXISTS (SELECT 1 FROM stream t WHERE t.worker_id IS NULL AND t.records >= 50)
   AND NOT EXISTS (SELECT 1 FROM run r WHERE r.generation = l.generation AND r.has_log)
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       'no task prints its steps: log the global step at the start and end of each step on every task', '[]', 'no-steps'
  FROM last l
 WHERE NOT EXISTS (SELECT 1 FROM step_marker)
   AND EXISTS (SELECT 1 FROM run r WHERE r.generation = l.generation AND r.trains AND r.ending = 'finished')
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       'TF_CPP_MIN_LOG_LEVEL=' || min(n.version) || ' hides what TensorFlow''s C++ side says; unset it where failures are to be explained', '[]', 'log-level'
  FROM last l JOIN environment n ON n.component = 'env:TF_CPP_MIN_LOG_LEVEL' AND n.version IN ('1', '2', '3')
 GROUP BY l.generation
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       'the job ' || coalesce(j.job || ' ', '') || 'declares ' || coalesce(j.replicas, 1) || ' task(s) of type ' || j.task_type || '; the bundle has the logs of '
         || (SELECT count(DISTINCT w.id) FROM worker w WHERE w.type = j.task_type AND w.has_log), '[]', 'replicas-' || j.task_type
  FROM last l JOIN (SELECT * FROM job_replica GROUP BY task_type HAVING count(DISTINCT coalesce(replicas, 1)) = 1) j
 WHERE EXISTS (SELECT 1 FROM worker w WHERE w.has_log)
   AND (SELECT count(DISTINCT w.id) FROM worker w WHERE w.type = j.task_type AND w.has_log) <> coalesce(j.replicas, 1)
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       'NCCL: rank(s) ' || group_concat(m.rank, ', ') || ' of ' || max(m.nranks) || ' never began to join a communicator that others joined: find the logs of their processes', '[]',
       'nccl-ranks-' || m.comm_id
  FROM last l JOIN collective_missing_rank m ON NOT m.started
 GROUP BY m.comm_id HAVING count(*) * 2 <= max(m.nranks) AND count(*) <= 16
UNION ALL
SELECT NULL, l.generation, NULL, NULL, NULL, NULL,
       (SELECT group_concat(t, '; ') FROM (SELECT a.path || ' repeats ' || b.path AS t FROM log_copy c JOIN source a ON a.id = c.source_id
                                            JOIN source b ON b.id = c.of_source_id ORDER BY a.path LIMIT 12)) || ': one log collected twice counts once',
       '[]', 'copies'
  FROM last l WHERE EXISTS (SELECT 1 FROM log_copy)
