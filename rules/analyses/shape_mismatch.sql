-- id: shape-mismatch
-- title: one task brought another shape into a collective
-- class: diverged-control-flow
-- kind: inner-status
-- needs: event
-- explains: coll-shape-mismatch, coll-start-abort, coll-aborted-by
-- weight_db: 40
-- why: algorithms.md 4.4: the check is made against the leader's instance, so reporters in the minority are odd; when all
-- but the leader report, the leader is. Before the first step it is the graph, later the last batch.
WITH report AS (
  SELECT DISTINCT e.generation, e.worker_id FROM event e
   WHERE e.signature_id = 'coll-shape-mismatch' AND e.outcome <> 'progressed_after' AND e.worker_id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM handed_on h WHERE h.stream = e.stream AND h.record_line = e.record_line)),
counted AS (
  SELECT g.generation, count(*) AS tasks, sum(r.worker_id IS NOT NULL) AS reporters
    FROM run g LEFT JOIN report r ON r.worker_id = g.worker_id AND r.generation = g.generation
   WHERE g.trains GROUP BY g.generation)
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' brought a tensor of another shape into a collective' AS summary,
       (SELECT json_group_array(e.id) FROM event e WHERE e.signature_id = 'coll-shape-mismatch' AND e.generation = r.generation) AS evidence_event_ids,
       CASE WHEN s.frontier IS NULL THEN 'diverged-control-flow' ELSE 'uneven-data' END AS class,
       CASE WHEN s.frontier IS NULL THEN 'graph-mismatch' ELSE 'short-batch' END AS cause
  FROM run r JOIN counted c ON c.generation = r.generation JOIN step_state s ON s.generation = r.generation
 WHERE c.reporters > 0 AND r.trains
   AND CASE WHEN c.reporters * 2 < c.tasks OR c.tasks = 2 THEN EXISTS (SELECT 1 FROM report p WHERE p.worker_id = r.worker_id AND p.generation = r.generation)
            WHEN c.reporters = c.tasks - 1 THEN r.leader ELSE 0 END
