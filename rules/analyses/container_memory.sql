-- id: container-memory
-- title: the resource manager ended a container at its memory limit
-- class: oom-host
-- cause: cgroup
-- kind: scheduler
-- needs: event
-- weight_db: 40
-- why: the node manager's own words, joined by process id; a manager that names only its container is nobody's evidence.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || '''s container went beyond its memory limit and was ended (process ' || k.value || ')' AS summary,
       json_group_array(e.id) AS evidence_event_ids
  FROM event e JOIN event_capture k ON k.event_id = e.id AND k.name = 'pid' JOIN worker_pid p ON p.pid = CAST(k.value AS INTEGER)
       JOIN run r ON r.worker_id = p.worker_id
 WHERE e.signature_id = 'yarn-memory' AND r.ending NOT IN ('finished', 'excused') AND r.generation = (SELECT max(generation) FROM step_state)
 GROUP BY r.worker_id, r.generation
