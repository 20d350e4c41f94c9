CREATE INDEX event_by_step ON event(generation, step_lo, phase);
CREATE INDEX event_by_signature ON event(signature_id);
CREATE INDEX event_severe ON event(severity) WHERE severity IN ('fatal', 'error');
CREATE INDEX event_by_worker ON event(worker_id, attempt, seq);
