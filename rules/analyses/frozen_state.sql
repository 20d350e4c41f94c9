-- id: frozen-state
-- title: a process is there but does not run
-- class: hang-frozen
-- kind: process-state
-- needs: process_state
-- weight_db: 40
-- why: algorithms.md 4.4: state T (stopped) or D (uninterruptible I/O) in a process listing.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || '''s process ' || coalesce(p.pid, '') || ' is in state ' || p.state
         || CASE WHEN p.state GLOB 'T*' OR p.state GLOB 't*' THEN ' (stopped)' ELSE ' (uninterruptible I/O)' END
         || coalesce(', waiting in ' || p.wchan, '') AS summary,
       json_array('process:' || p.id) AS evidence_event_ids
  FROM process_state p JOIN process_owner o ON o.process_id = p.id JOIN run r ON r.worker_id = o.worker_id
 WHERE (p.state GLOB 'T*' OR p.state GLOB 't*' OR p.state GLOB 'D*')
   AND r.generation = (SELECT max(generation) FROM step_state) AND r.ending NOT IN ('finished', 'excused')
