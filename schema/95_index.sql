CREATE INDEX event_by_step ON event(generation, step_lo, phase);
CREATE INDEX event_by_signature ON event(signature_id);
CREATE INDEX event_severe ON event(severity) WHERE severity IN ('fatal', 'error');
CREATE INDEX event_by_worker ON event(worker_id, attempt, seq);
-- Tasks are joined by name and by host, their streams and runs by task: thousands of each in a large job.
CREATE INDEX worker_by_name ON worker(name, instance);
CREATE INDEX worker_by_host ON worker(host);
CREATE INDEX stream_by_worker ON stream(worker_id);
CREATE INDEX exit_by_task ON exit_record(task);
CREATE INDEX exit_by_rank ON exit_record(rank);
CREATE INDEX attempt_by_generation ON attempt(generation, ending);
CREATE INDEX attempt_by_exit ON attempt(generation, exit_code);
