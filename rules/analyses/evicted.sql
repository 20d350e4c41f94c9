-- id: evicted
-- title: the orchestrator evicted a task for a resource
-- class: evicted
-- needs: exit_record
-- weight_db: 40
-- why: the orchestrator's own record of an eviction, by task or host.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' was evicted' || coalesce(': ' || x.reason, '') AS summary, json_array('exit:' || x.id) AS evidence_event_ids
  FROM exit_record x JOIN run r ON r.name = x.task
 WHERE x.what = 'evicted'
