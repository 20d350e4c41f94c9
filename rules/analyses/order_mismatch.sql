-- id: order-mismatch
-- title: tasks ran different collectives at one point
-- class: diverged-control-flow
-- kind: inner-status
-- needs: event
-- explains: coll-instance-type, coll-start-abort, coll-aborted-by
-- weight_db: 40
-- why: algorithms.md 4.4: the detecting task is not to blame for detecting. The odd side is the one with a line of its own
-- after the last common marker that no peer wrote (20) and whose failing op is an eager collective (10), if it leads by 10.
WITH hit AS (
  SELECT generation, min(id) AS event_id, json_group_array(id) AS ids FROM event
   WHERE signature_id = 'coll-instance-type' AND outcome <> 'progressed_after' GROUP BY generation),
side AS (
  SELECT r.worker_id, r.name, r.generation, r.leader,
         20 * EXISTS (SELECT 1 FROM odd_line o WHERE o.worker_id = r.worker_id AND o.generation = r.generation)
         + 10 * EXISTS (SELECT 1 FROM event e WHERE e.worker_id = r.worker_id AND e.generation = r.generation
                         AND e.signature_id = 'coll-eager' AND e.outcome <> 'progressed_after') AS points,
         (SELECT json_group_array(o.event_id) FROM odd_line o WHERE o.worker_id = r.worker_id AND o.generation = r.generation) AS lines
    FROM run r WHERE r.has_log AND r.trains),
ranked AS (
  SELECT s.*, row_number() OVER (PARTITION BY generation ORDER BY points DESC, worker_id) AS n,
         lead(points) OVER (PARTITION BY generation ORDER BY points DESC, worker_id) AS next_points
    FROM side s)
SELECT CASE WHEN k.points >= k.next_points + 10 THEN k.worker_id END AS worker_id, h.generation, s.common + 1 AS step_lo, s.common + 1 AS step_hi,
       NULL AS confidence_cap, NULL AS weight_db,
       CASE WHEN k.points >= k.next_points + 10 THEN k.name || ' issued a collective its peers did not' ELSE 'the tasks issued different collectives' END AS summary,
       (SELECT json_group_array(value) FROM (SELECT value FROM json_each(k.lines) WHERE k.points >= k.next_points + 10
                                             UNION ALL SELECT value FROM json_each(h.ids))) AS evidence_event_ids,
       CASE WHEN k.points >= k.next_points + 10 AND k.leader THEN 'chief-only-op' ELSE 'order-mismatch' END AS cause
  FROM hit h JOIN ranked k ON k.generation = h.generation AND k.n = 1 JOIN step_state s ON s.generation = h.generation
