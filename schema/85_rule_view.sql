-- Views for analyses: what most rules start from.
CREATE VIEW run AS                    -- attempts with their worker, one row per process run
  SELECT a.worker_id, w.name, w.type, w.leader, w.has_log, w.in_cluster, w.host, w.claims, a.n AS attempt, a.generation,
         a.first_step, a.last_step, a.restored_step, a.terminal, a.exit_code, a.ending, a.terminal_event_id, a.last_us,
         w.type IS NULL OR w.type NOT IN ('ps', 'evaluator') AS trains
    FROM attempt a JOIN worker w ON w.id = a.worker_id;

CREATE VIEW root_text AS              -- texts of role root that the process itself wrote at its end, not handed on from elsewhere
  SELECT e.id AS event_id, e.worker_id, e.generation, e.attempt, e.signature_id, e.source_id, e.record_line, e.seq, e.text,
         e.peer_worker_id, r.class, r.cause, r.title,
         e.record_line IS t.record_line AND e.source_id IS t.source_id AS in_terminal
    FROM event e JOIN signature_rule r ON r.id = e.signature_id
         JOIN attempt a ON a.worker_id = e.worker_id AND a.n = e.attempt
         LEFT JOIN event t ON t.id = a.terminal_event_id
   WHERE r.role = 'root' AND r.class IS NOT NULL AND e.outcome IN ('terminal', 'unresolved')
     AND NOT EXISTS (SELECT 1 FROM event d
                      WHERE d.stream = e.stream AND d.record_line = e.record_line
                        AND d.signature_id IN ('coll-aborted-by', 'derived-mark'));

CREATE VIEW loss AS                   -- printed losses that count for trends
  SELECT t.worker_id, m.generation, m.attempt, m.step, m.loss, m.loss_state, m.stream, m.seq, m.line, m.time_raw_us
    FROM step_marker m JOIN stream t ON t.id = m.stream
   WHERE m.loss_state IS NOT NULL AND m.superseded = 0 AND t.worker_id IS NOT NULL;
