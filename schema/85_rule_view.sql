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
     AND NOT EXISTS (SELECT 1 FROM handed_on h WHERE h.stream = e.stream AND h.record_line = e.record_line);

CREATE VIEW heartbeat_timeout AS      -- tasks whose own heartbeat to the leader found no answer, with the first record that says so
  SELECT e.worker_id, e.generation, min(e.id) AS event_id FROM event e JOIN worker w ON w.id = e.worker_id
   WHERE e.outcome <> 'progressed_after' AND NOT w.leader
     AND (e.signature_id = 'grpc-deadline-heartbeat'
          -- TensorFlow before 2.15 names the leader as the target and no method; only the agent's own calls have a deadline
          OR e.signature_id = 'grpc-deadline' AND e.peer_worker_id IN (SELECT id FROM worker WHERE leader = 1)
             AND NOT EXISTS (SELECT 1 FROM event_capture c WHERE c.event_id = e.id AND c.name = 'hop_method'))
   GROUP BY e.worker_id, e.generation;

CREATE VIEW leader_contact AS         -- per job incarnation: the tasks beside the leader, those with a log, and those whose heartbeats found no answer
  SELECT r.generation, count(*) AS others, sum(r.has_log) AS logged, count(t.worker_id) AS lost
    FROM run r LEFT JOIN heartbeat_timeout t ON t.worker_id = r.worker_id AND t.generation = r.generation
   WHERE NOT r.leader AND r.trains GROUP BY r.generation;

CREATE VIEW unowned_steps AS          -- streams of unknown tasks that print steps: while there are any, nobody can be said to have made none
  SELECT t.id AS stream FROM stream t WHERE t.worker_id IS NULL AND EXISTS (SELECT 1 FROM step_marker m WHERE m.stream = t.id);

CREATE VIEW loss AS                   -- printed losses that count for trends
  SELECT t.worker_id, m.generation, m.attempt, m.step, m.loss, m.loss_state, m.stream, m.seq, m.line, m.time_raw_us
    FROM step_marker m JOIN stream t ON t.id = m.stream
   WHERE m.loss_state IS NOT NULL AND m.superseded = 0 AND t.worker_id IS NOT NULL;

CREATE VIEW scalar AS                 -- named numbers by step: those of step markers and those of event files
  SELECT t.worker_id, m.generation, lower(v.name) AS name, m.step, v.value, v.state, 'marker' AS origin,
         'marker:' || v.stream || ':' || v.seq AS ref
    FROM marker_value v CROSS JOIN step_marker m ON m.stream = v.stream AND m.seq = v.seq  -- CROSS: values first, else quadratic
         JOIN stream t ON t.id = v.stream
   WHERE m.superseded = 0 AND t.worker_id IS NOT NULL
  UNION ALL
  SELECT e.worker_id, e.generation, lower(m.tag), m.step, m.value, m.state, 'event-file',
         'metric:' || m.source_id || ':' || m.seq || ':' || m.tag
    FROM metric m JOIN event_file e ON e.source_id = m.source_id
   WHERE m.superseded = 0;

CREATE VIEW config_of AS              -- every TF_CONFIG with the process it belongs to; of a task that ran again and said it again, the last run's
  SELECT c.id AS tf_config_id, coalesce(t.worker_id, w.id) AS worker_id, c.valid_json, c.error, c.task_type, c.task_index,
         c.task_index_text, s.text AS cluster, c.cluster_id, c.form, c.text
    FROM tf_config c LEFT JOIN stream t ON t.id = c.stream LEFT JOIN cluster_spec s ON s.id = c.cluster_id
         LEFT JOIN worker w ON w.name = c.owner AND w.instance = 0
   WHERE c.superseded = 0;

CREATE VIEW odd_line AS               -- what a task wrote last and no peer wrote: a hint at what it was about to do
  SELECT e.id AS event_id, e.worker_id, e.generation, e.line, e.text FROM odd_line_event o JOIN event e ON e.id = o.event_id;

CREATE VIEW abnormal_exit AS          -- first recorded exit of each run that was not 0 and not a launcher's clean-up
  SELECT x.id AS exit_id, r.worker_id, r.name, r.generation, r.attempt, x.exit_code, x.time_raw_us, x.source_id
    FROM exit_record x JOIN run r ON r.name = x.task AND r.attempt = coalesce(x.attempt, r.attempt)
   WHERE x.what = 'exited' AND x.exit_code <> 0 AND r.ending NOT IN ('cleaned-up', 'excused', 'finished')
  UNION ALL
  SELECT x.id, r.worker_id, r.name, r.generation, r.attempt, x.exit_code, x.time_raw_us, x.source_id
    FROM exit_record x JOIN stream t ON t.tag = CAST(x.rank AS TEXT) AND x.rank = CAST(t.tag AS INTEGER)  -- both: an index either way
         JOIN run r ON r.worker_id = t.worker_id
   WHERE x.what = 'exited' AND x.task IS NULL AND x.exit_code <> 0 AND r.ending NOT IN ('cleaned-up', 'excused', 'finished');

CREATE VIEW profile_of AS             -- whose each profile is: by the task in its name, else by its host, else the only task there is
  SELECT p.id AS profile_id, p.source_id, p.kind, p.host, p.device, p.window_us, coalesce(
           (SELECT min(w.id) FROM worker w WHERE w.name = p.owner AND w.instance = 0),
           (SELECT min(w.id) FROM worker w WHERE w.host = p.host AND w.type IS NOT 'ps' HAVING count(*) = 1),
           (SELECT min(w.id) FROM worker w WHERE w.type IS NOT 'ps' HAVING count(*) = 1)) AS worker_id
    FROM profile p;
