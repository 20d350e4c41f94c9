-- id: nccl-versions
-- title: ranks of one communicator load different NCCL versions
-- class: version-mismatch
-- kind: nccl-versions
-- needs: event
-- explains: nccl-internal, nccl-tf-error, nccl-remote
-- weight_db: 40
-- why: algorithms.md 11: NCCL says which two ranks differ, not which of them is the odd one. The version that each process
-- prints does, if most print the same (G10); otherwise nobody is named. The errors of the other ranks only follow.
WITH clash AS (
  SELECT generation, min(id) AS event_id, count(DISTINCT worker_id) AS tasks FROM event
   WHERE signature_id = 'nccl-version-mismatch' AND outcome IN ('terminal', 'unresolved') GROUP BY generation),
said AS (
  SELECT e.worker_id, e.generation, min(e.id) AS event_id, max(c.value) AS version
    FROM event e JOIN event_capture c ON c.event_id = e.id AND c.name = 'version'
   WHERE e.signature_id = 'nccl-version' AND e.worker_id IS NOT NULL GROUP BY e.worker_id, e.generation),
usual AS (
  SELECT v.generation, v.version FROM (SELECT generation, version, count(*) AS n FROM said GROUP BY generation, version) v
   WHERE 2 * v.n > (SELECT count(*) FROM said s WHERE s.generation = v.generation)),
odd AS (
  SELECT s.worker_id, s.generation, s.event_id, s.version, u.version AS usual, c.event_id AS clash
    FROM clash c JOIN said s ON s.generation = c.generation JOIN usual u ON u.generation = c.generation AND u.version <> s.version)
SELECT o.worker_id, o.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       w.name || ' loads NCCL ' || o.version || ', most of its peers ' || o.usual AS summary,
       json_array('event:' || o.clash, 'event:' || o.event_id) AS evidence_event_ids, 'nccl' AS cause
  FROM odd o JOIN worker w ON w.id = o.worker_id
UNION ALL
SELECT NULL, c.generation, NULL, NULL, NULL, NULL, 'ranks of one communicator load different NCCL versions; nothing says which of them is the odd one',
       json_array('event:' || c.event_id), 'nccl'
  FROM clash c WHERE NOT EXISTS (SELECT 1 FROM odd o WHERE o.generation = c.generation)
