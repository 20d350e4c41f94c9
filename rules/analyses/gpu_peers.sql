-- id: gpu-peers
-- title: a GPU of the host cannot be reached by the others, and the first collective never came back
-- class: collective-fabric
-- cause: nccl
-- kind: peer-access
-- needs: event
-- explains: gpu-peer
-- weight_db: 20
-- why: refused peer access alone only makes reductions slower; with the mapping resources exhausted and no step afterwards
-- it is why the first one hangs. The GPU that is in every refused pair is the one to leave out.
WITH refused AS (
  SELECT e.id, e.worker_id, e.generation, c.value AS pair, s.value AS status
    FROM event e JOIN event_capture c ON c.event_id = e.id AND c.name = 'device' LEFT JOIN event_capture s ON s.event_id = e.id AND s.name = 'status'
   WHERE e.signature_id = 'gpu-peer' AND e.worker_id IS NOT NULL),
ends AS (
  SELECT id, substr(pair, 1, instr(pair, ' ') - 1) AS gpu FROM refused
  UNION ALL SELECT id, substr(pair, instr(pair, 'and ') + 4) FROM refused),
odd AS (SELECT gpu FROM ends GROUP BY gpu HAVING count(DISTINCT id) = (SELECT count(*) FROM refused))
SELECT f.worker_id, f.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       r.name || ' printed no step after its GPUs refused each other' || coalesce('; GPU ' || (SELECT min(gpu) FROM odd HAVING count(*) = 1) || ' is in every refused pair', '') AS summary,
       (SELECT json_group_array(id) FROM (SELECT x.id FROM refused x WHERE x.worker_id = f.worker_id ORDER BY x.id LIMIT 4)) AS evidence_event_ids
  FROM refused f JOIN run r ON r.worker_id = f.worker_id AND r.generation = f.generation
 WHERE f.status LIKE '%TOO_MANY_PEERS%' AND r.last_step IS NULL AND r.ending IN ('silent', 'cleaned-up', 'unknown')
 GROUP BY f.worker_id, f.generation
