-- id: node-fail
-- title: the scheduler lost a node
-- class: node-lost
-- cause: node-down
-- needs: exit_record
-- weight_db: 40
-- why: the scheduler's own record that a node failed; the task on it is the origin. The line that cancels the rest names
-- the node that prints it.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'node ' || coalesce(x.host, '?') || ' failed under ' || r.name AS summary, json_group_array('exit:' || x.id) AS evidence_event_ids
  FROM exit_record x JOIN run r ON r.name = x.task OR x.host IS NOT NULL AND r.host = x.host
 WHERE x.what = 'node-fail' AND x.text NOT LIKE '%CANCELLED AT%'
 GROUP BY r.worker_id
