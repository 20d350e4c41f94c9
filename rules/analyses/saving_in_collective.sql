-- id: saving-in-collective
-- title: one task saves inside a collective that its peers do not join
-- class: diverged-control-flow
-- cause: chief-only-op
-- kind: collective-in-save
-- needs: stack_thread
-- weight_db: 40
-- why: algorithms.md 8.3: variables that are reduced when read (batch normalisation, metrics) make a save a collective of all
-- tasks. A thread in save and in a collective at once, on one task only, waits for peers that are elsewhere.
WITH saving AS (
  SELECT r.worker_id, r.name, r.generation, min(t.id) AS thread_id
    FROM stack_thread t JOIN stack k ON k.id = t.stack_id JOIN stack_owner o ON o.stack_id = k.id
         JOIN run r ON r.worker_id = o.worker_id AND r.generation = (SELECT max(generation) FROM step_state)
   WHERE (t.frames LIKE '%saveable_object%' OR t.frames LIKE '%functional_saver%' OR t.frames LIKE '%SaveV2%' OR t.frames LIKE '%checkpoint_management%'
          OR t.frames LIKE '%save_weights%' OR t.frames LIKE '%save_model%')
     AND (t.frames LIKE '%_get_cross_replica%' OR t.frames LIKE '%all_reduce%' OR t.frames LIKE '%collective_reduce%' OR t.frames LIKE '%collective_all_reduce%'
          OR t.frames LIKE '%all_gather%' OR t.frames LIKE '%CollectiveReduce%')
   GROUP BY r.worker_id)
SELECT s.worker_id, s.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       s.name || ' reads a variable for its save in a collective; its peers are not in that save' AS summary,
       json_array('thread:' || s.thread_id) AS evidence_event_ids
  FROM saving s
 WHERE (SELECT count(*) FROM saving) = 1 AND (SELECT count(DISTINCT o.worker_id) FROM stack_owner o) >= 2
