-- id: ps-gone
-- title: all workers lost the one parameter server at once
-- class: ps-lost
-- kind: all-workers-failed
-- needs: run
-- explains: grpc-reset
-- weight_db: 20
-- why: algorithms.md 4.2 D6: in a parameter-server job every worker ends in a communication error and the log of the only
-- server that did not end well stops without a word; losing a worker would have stopped nobody.
WITH server AS (
  SELECT r.*, count(*) OVER (PARTITION BY r.generation) AS servers FROM run r
   WHERE r.type = 'ps' AND r.ending IN ('silent', 'cut', 'absent', 'crashed')),
workers AS (
  SELECT generation, count(*) AS n, sum(ending = 'victim') AS victims FROM run WHERE trains AND has_log GROUP BY generation)
SELECT s.worker_id, s.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       s.name || ' is gone: all ' || w.n || ' workers ended in a communication error' AS summary,
       (SELECT json_group_array(r.terminal_event_id) FROM (SELECT * FROM run v WHERE v.generation = s.generation AND v.trains AND v.terminal_event_id IS NOT NULL
                                                            ORDER BY v.worker_id LIMIT 4) r) AS evidence_event_ids
  FROM server s JOIN workers w ON w.generation = s.generation
 WHERE s.servers = 1 AND w.n >= 2 AND w.victims = w.n
