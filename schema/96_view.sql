-- Views that stay stable (contract.md section 4). None calls a function that plain sqlite3 lacks.
CREATE VIEW timeline AS               -- events and step markers in logical order, never by wall clock across tasks
  SELECT generation, step_lo, step_hi, phase, worker, kind, severity, time_us, source, line, text, signatures FROM (
    SELECT e.generation, e.step_lo, e.step_hi, e.phase, w.name AS worker, e.kind, e.severity,
           coalesce(e.time_ref_us, e.time_raw_us) AS time_us, s.path AS source, e.line,
           substr(coalesce(c.text, e.text), 1, 300) AS text, e.seq AS seq,
           group_concat(e.signature_id, ' ') AS signatures, min(e.id) AS first_event
      FROM event e LEFT JOIN worker w ON w.id = e.worker_id JOIN source s ON s.id = e.source_id
           LEFT JOIN context_line c ON c.source_id = e.source_id AND c.line = e.line
     WHERE e.kind <> 'tail'
     GROUP BY e.source_id, e.line
    UNION ALL
    SELECT m.generation, m.step, m.step, 'step', w.name, 'marker', 'info', m.time_raw_us, s.path, m.line,
           'step ' || m.step || coalesce(' loss ' || m.loss, ' loss ' || m.loss_state, ''), m.seq, NULL, NULL
      FROM step_marker m JOIN stream t ON t.id = m.stream JOIN source s ON s.id = t.source_id
           LEFT JOIN worker w ON w.id = t.worker_id)
  ORDER BY generation, step_lo,
           CASE phase WHEN 'init' THEN 0 WHEN 'restore' THEN 1 WHEN 'step' THEN 2 WHEN 'callback' THEN 3
                      WHEN 'shutdown' THEN 5 ELSE 4 END, worker, source, seq;

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
  SELECT w.name AS worker, m.generation, m.step, m.loss, m.loss_state, m.step_time_us, m.time_raw_us, m.superseded
    FROM step_marker m JOIN stream t ON t.id = m.stream JOIN worker w ON w.id = t.worker_id
   ORDER BY m.generation, m.step, w.id;

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
