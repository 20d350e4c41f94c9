-- id: stall-reports
-- title: a rank comes late again and again, says the stall report
-- class: straggler
-- kind: stall-reports
-- needs: event
-- weight_db: 25
-- param: reports 2 reports fewer are a single pause
-- why: algorithms.md 4.4 and 7: a stall report names the ranks that have not come yet; when steps follow, they came, so it is
-- a delay and no deadlock, whatever its text threatens.
SELECT w.id AS worker_id, e.generation, min(e.step_lo) AS step_lo, max(coalesce(e.step_hi, e.step_lo)) AS step_hi, 'supported' AS confidence_cap,
       CASE WHEN count(DISTINCT e.record_line) >= :reports THEN 25 ELSE 0 END AS weight_db,
       w.name || ' kept the others waiting in ' || count(DISTINCT e.record_line) || ' stall report(s), and each time the steps went on' AS summary,
       json_group_array(DISTINCT e.id) AS evidence_event_ids, 'unknown' AS cause
  FROM event e JOIN event_capture k ON k.event_id = e.id AND k.name = 'rank'
       JOIN worker w ON w.instance = 0 AND w.name IN ('rank-' || k.value, 'worker-' || k.value)
 WHERE e.signature_id = 'horovod-missing-ranks' AND e.outcome = 'progressed_after'
 GROUP BY w.id, e.generation
