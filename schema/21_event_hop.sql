CREATE TABLE event_hop(               -- remote calls that carried an error to the task that wrote it: nested grpc_message chains, unwrapped
  event_id INTEGER NOT NULL,          -- event.id
  n        INTEGER NOT NULL,          -- 0 = innermost: the task where the error began, as far as the text says
  job      TEXT NOT NULL,             -- job of the task that was called, e.g. 'worker'
  task     INTEGER NOT NULL,          -- its index
  method   TEXT,                      -- what was called, e.g. '/tensorflow.WorkerService/RecvBuf'; NULL = not said
  PRIMARY KEY(event_id, n)
) STRICT, WITHOUT ROWID;

CREATE VIEW task_incarnation AS       -- lives of tasks as coordination services number them: two numbers for one task are a restart, or two processes that claim it
  SELECT j.value AS job, CAST(p.value AS INTEGER) AS task, i.value AS incarnation, e.generation, e.time_raw_us, e.source_id, e.line, e.id AS event_id
    FROM event_capture i JOIN event e ON e.id = i.event_id
         JOIN event_capture p ON p.event_id = i.event_id AND p.name = 'peer'
         LEFT JOIN event_capture j ON j.event_id = i.event_id AND j.name = 'job'
   WHERE i.name = 'incarnation'
   ORDER BY j.value, CAST(p.value AS INTEGER), e.id;
