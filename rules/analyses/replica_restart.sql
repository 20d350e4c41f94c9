-- id: replica-restart
-- title: after a restart the tasks began at different steps
-- class: replica-divergence
-- cause: restore
-- kind: first-step
-- needs: run
-- weight_db: 40
-- why: algorithms.md 4.8: first steps of one synchronous generation must be equal. If they differ by more than one, those
-- that restored nothing while peers restored, else those at the lower step, began anew.
WITH starts AS (
  SELECT r.*, max(r.first_step) OVER (PARTITION BY r.generation) AS highest,
         EXISTS (SELECT 1 FROM event e WHERE e.worker_id = r.worker_id AND e.attempt = r.attempt
                  AND e.signature_id IN ('ckpt-restored', 'saver-restore')) AS restored
    FROM run r JOIN step_state s ON s.generation = r.generation
   WHERE r.trains AND r.first_step IS NOT NULL AND s.synchronous AND s.unit = 'step'
     -- of a log whose head is missing nobody knows where the process began
     AND EXISTS (SELECT 1 FROM event e JOIN signature_rule g ON g.id = e.signature_id
                  WHERE e.worker_id = r.worker_id AND e.attempt = r.attempt AND e.phase IN ('init', 'restore')
                    AND (g.role = 'lifecycle' OR g.id IN ('ckpt-restored', 'saver-restore')))),
begun_anew AS (  -- a first start begins where it begins; only a restart or a restore has a step to begin at
  SELECT generation FROM starts GROUP BY generation HAVING generation > 0 OR max(restored) OR max(restored_step) IS NOT NULL)
SELECT a.worker_id, a.generation, a.first_step AS step_lo, a.first_step AS step_hi, NULL AS confidence_cap,
       w.weight AS weight_db,
       a.name || ' began at step ' || a.first_step || ' while its peers began at step ' || a.highest AS summary,
       (SELECT json_group_array(ref) FROM (
          SELECT ref FROM (SELECT 'marker:' || m.stream || ':' || m.seq AS ref FROM step_marker m JOIN stream t ON t.id = m.stream
                  WHERE t.worker_id = a.worker_id AND m.attempt = a.attempt ORDER BY m.seq LIMIT 1)
          UNION ALL
          SELECT 'event:' || min(e.id) FROM event e JOIN starts p ON p.worker_id = e.worker_id AND p.attempt = e.attempt
           WHERE p.generation = a.generation AND p.first_step = a.highest AND e.signature_id IN ('ckpt-restored', 'saver-restore')
           HAVING min(e.id) IS NOT NULL)) AS evidence_event_ids, w.kind AS kind
  FROM starts a JOIN (SELECT 40 AS weight, 'first-step' AS kind UNION ALL SELECT 10, 'peers-restored') w
 WHERE a.first_step < a.highest - 1 AND a.generation IN (SELECT generation FROM begun_anew)
   AND (w.kind = 'first-step' OR EXISTS (SELECT 1 FROM starts p WHERE p.generation = a.generation AND p.restored AND p.first_step = a.highest))
