-- id: first-exit
-- title: it was the first to exit abnormally
-- class: *
-- needs: exit_record
-- weight_db: 10
-- param: lead_us 1000000 us a launcher polls, so a lead below a second is none
-- why: algorithms.md 4.6: first abnormal exit by at least a second in one launcher's log. Frozen or cut-off origins exit
-- last, so a late exit has no negative weight. The only abnormal exit is the first when a task ended well after it.
WITH ordered AS (
  SELECT x.*, row_number() OVER w AS n, coalesce(lead(x.time_raw_us) OVER w,
           (SELECT min(y.time_raw_us) FROM exit_record y
             WHERE y.source_id = x.source_id AND y.what = 'exited' AND y.exit_code = 0 AND y.time_raw_us > x.time_raw_us)) AS next_us
    FROM abnormal_exit x
  WINDOW w AS (PARTITION BY x.source_id, x.generation ORDER BY x.time_raw_us, x.exit_id))
SELECT worker_id, generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       name || ' was the first task to exit abnormally (' || exit_code || ')' AS summary,
       json_array('exit:' || exit_id) AS evidence_event_ids
  FROM ordered
 WHERE n = 1 AND next_us IS NOT NULL AND next_us - time_raw_us >= :lead_us
