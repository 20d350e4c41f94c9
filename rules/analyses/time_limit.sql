-- id: time-limit
-- title: the scheduler ended the job at its time limit
-- class: time-limit
-- needs: exit_record
-- weight_db: 40
-- why: algorithms.md 4.6: the scheduler's own words. Nobody is to blame, so nobody is named.
SELECT NULL AS worker_id, max(s.generation) AS generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the scheduler ended the job at its time limit' AS summary,
       json_group_array(DISTINCT 'exit:' || x.id) AS evidence_event_ids
  FROM exit_record x JOIN step_state s
 WHERE x.what = 'time-limit'
HAVING count(*) > 0
