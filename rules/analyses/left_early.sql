-- id: left-early
-- title: a task left the loop in order while its peers went on
-- class: diverged-control-flow
-- kind: exit-0
-- needs: run
-- explains: coll-start-abort, coll-aborted-by, coord-unhealthy
-- weight_db: 25
-- why: algorithms.md 4.8: exit 0 at or before the last common step while the peers fail in a collective. With an
-- end-of-data text it is uneven data.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' left the training loop and exited 0 after step ' || r.last_step || ' while its peers waited for it' AS summary,
       (SELECT json_group_array(ref) FROM (
          SELECT 'event:' || o.event_id AS ref FROM odd_line o WHERE o.worker_id = r.worker_id AND o.generation = r.generation
          UNION ALL
          SELECT * FROM (SELECT 'marker:' || m.stream || ':' || m.seq FROM step_marker m JOIN stream t ON t.id = m.stream
                          WHERE t.worker_id = r.worker_id AND m.attempt = r.attempt ORDER BY m.seq DESC LIMIT 1)
          UNION ALL
          SELECT 'exit:' || x.id FROM exit_record x WHERE x.task = r.name AND x.what = 'exited')) AS evidence_event_ids,
       CASE WHEN ran_out THEN 'uneven-data' END AS class, CASE WHEN ran_out THEN 'exhausted' ELSE 'early-exit' END AS cause
  FROM (SELECT r.*, EXISTS (SELECT 1 FROM event e JOIN signature_rule s ON s.id = e.signature_id
                             WHERE e.worker_id = r.worker_id AND e.attempt = r.attempt AND s.class = 'uneven-data'
                               AND e.outcome <> 'progressed_after') AS ran_out
          FROM run r WHERE r.ending = 'left-early') r
