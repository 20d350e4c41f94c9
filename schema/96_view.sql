-- Views that stay stable (contract.md section 4). None calls a function that plain sqlite3 lacks.
CREATE VIEW timeline AS               -- events, step markers and exit records in logical order (logical_order), never by wall clock across tasks
  SELECT generation, step_lo, step_hi, phase, worker, kind, severity, coalesce(time_ref_us, time_raw_us) AS time_us, source, line,
         text, signatures,
         time_raw_us,                 -- as written
         time_ref_us,                 -- on the common clock; NULL = not alignable
         time_err_us,                 -- its stated error
         attempt,
         rank,                        -- logical_order.rank; NULL = a step marker, which stands where its step closes
         concurrent                   -- 1 = another task has a row of which nobody knows whether it came before or after this one
    FROM (
    SELECT *, min(worker) OVER same_time IS NOT max(worker) OVER same_time AS concurrent FROM (
      SELECT o.generation AS at_generation, o.step AS at_step, o.phase AS at_phase, min(o.rank) AS rank, o.cell AS cell,
             e.generation, e.step_lo, e.step_hi, e.phase, w.name AS worker, e.kind, e.severity, e.time_raw_us, e.time_ref_us,
             coalesce(e.time_err_us, w.clock_error_us) AS time_err_us, e.attempt, s.path AS source, e.line,
             substr(coalesce(c.text, e.text), 1, 300) AS text, e.seq AS seq,
             group_concat(e.signature_id, ' ') AS signatures
        FROM logical_order o JOIN event e ON e.id = o.id LEFT JOIN worker w ON w.id = e.worker_id JOIN source s ON s.id = e.source_id
             LEFT JOIN context_line c ON c.source_id = e.source_id AND c.line = e.line
       WHERE o.kind = 'event'
       GROUP BY e.source_id, e.line
      UNION ALL
      SELECT o.generation, o.step, o.phase, o.rank, o.cell, o.generation, NULL, NULL,
             CASE x.what WHEN 'started' THEN 'init' ELSE 'shutdown' END, w.name, 'exit', 'info', x.time_raw_us, NULL,
             NULL, x.attempt, s.path, x.line, substr(coalesce(x.text, x.what), 1, 300), x.line, NULL
        FROM logical_order o JOIN exit_record x ON x.id = o.id JOIN source s ON s.id = x.source_id
             LEFT JOIN worker w ON w.id = o.worker_id
       WHERE o.kind = 'exit'
      UNION ALL
      SELECT coalesce(m.generation, 0), m.step, 3, NULL, NULL, m.generation, m.step, m.step, 'step', w.name, 'marker', 'info',
             m.time_raw_us, m.time_raw_us - w.clock_offset_us, w.clock_error_us, m.attempt, s.path, m.line,
             'step ' || m.step || coalesce(' loss ' || m.loss, ' loss ' || m.loss_state, ''), m.seq, NULL
        FROM step_marker m JOIN stream t ON t.id = m.stream JOIN source s ON s.id = t.source_id
             LEFT JOIN worker w ON w.id = t.worker_id)
    WINDOW same_time AS (PARTITION BY at_generation, at_step, at_phase, cell))
  ORDER BY at_generation, at_step, at_phase, rank, worker, source, seq;

CREATE VIEW worker_summary AS         -- one line a task: where it was, how it ended
  SELECT name, instance, host, leader, last_step, terminal, exit_code, ending, clock_offset_us / 1e6 AS clock_offset_s,
         clock_class, has_log, in_cluster
    FROM worker ORDER BY id;

CREATE VIEW finding_evidence AS       -- findings with the places they cite
  SELECT 'F' || f.id AS finding, f.rule, f.class, f.role, f.severity, 'E' || e.id AS evidence, e.kind, s.path AS source,
         e.line, e.byte_offset, w.name AS worker, e.text
    FROM finding f JOIN finding_evidence_link l ON l.finding_id = f.id JOIN evidence e ON e.id = l.evidence_id
         LEFT JOIN source s ON s.id = e.source_id LEFT JOIN worker w ON w.id = e.worker_id
   ORDER BY f.id, l.n;

CREATE VIEW step_matrix AS            -- task x step: what is known of each step
  SELECT worker, generation, step, loss, loss_state, step_time_us, time_raw_us, superseded,
         state,                       -- 'completed', 'superseded' (completed, and done again after a restart), 'unfinished' (the step it was in when it ended)
         attempt, time_ref_us
    FROM (
    SELECT w.id AS worker_id, w.name AS worker, m.generation, m.step, m.loss, m.loss_state, m.step_time_us, m.time_raw_us, m.superseded,
           CASE m.superseded WHEN 1 THEN 'superseded' ELSE 'completed' END AS state, m.attempt,
           m.time_raw_us - w.clock_offset_us AS time_ref_us
      FROM step_marker m JOIN stream t ON t.id = m.stream JOIN worker w ON w.id = t.worker_id
    UNION ALL
    SELECT a.worker_id, w.name, a.generation, a.last_step + 1, NULL, NULL, NULL, NULL, 0, 'unfinished', a.n, NULL
      FROM attempt a JOIN worker w ON w.id = a.worker_id
     WHERE a.last_step IS NOT NULL AND coalesce(a.ending, '') NOT IN ('finished', 'excused', 'left-early'))
   ORDER BY generation, step, worker_id;

CREATE VIEW checkpoint_summary AS     -- checkpoints, newest last
  SELECT prefix, step, format, completeness, integrity, health, use, tensors, bytes, problem
    FROM checkpoint ORDER BY directory, step, prefix;

CREATE VIEW gpu_timeline AS           -- GPU state over time
  SELECT s.path AS source, g.line, g.owner, g.gpu_index, g.time_raw_us, g.util_percent, g.mem_used_mib, g.mem_total_mib,
         g.temperature_c, g.power_w, g.sm_clock_mhz, g.throttle
    FROM gpu_sample g JOIN source s ON s.id = g.source_id ORDER BY g.source_id, g.line;

CREATE VIEW problem_summary AS        -- what is wrong with the evidence
  SELECT s.path AS source, p.severity, p.code, p.byte_offset, p.detail
    FROM problem p LEFT JOIN source s ON s.id = p.source_id ORDER BY p.id;
