CREATE VIEW nan_passing AS            -- losses of training tasks that were not finite and are finite again in the same attempt
  SELECT n.worker_id, n.generation, w.name, n.ref, n.step, n.state, n.sure,
         n.mode = 'local' AND n.sure AND NOT EXISTS (
           SELECT 1 FROM run r WHERE r.generation = n.generation AND r.trains AND r.worker_id <> n.worker_id
              AND (EXISTS (SELECT 1 FROM nan_onset o WHERE o.worker_id = r.worker_id AND o.generation = n.generation AND o.step <= n.step)
                   OR NOT EXISTS (SELECT 1 FROM loss_span l WHERE l.worker_id = r.worker_id AND l.generation = n.generation
                                     AND n.step BETWEEN l.first_step AND l.last_finite))) AS alone,  -- 1 = its own loss, and every peer's was finite there
         (SELECT s.text FROM nan_sign s WHERE s.generation = n.generation AND s.kind IN ('scale-skip', 'scale-collapse')
           ORDER BY s.worker_id, s.n LIMIT 1) AS skipped,  -- what says that a loss scale skipped the update; NULL = nothing
         n.generation = (SELECT max(generation) FROM step_state) AND NOT EXISTS (
           SELECT 1 FROM run r WHERE r.generation = n.generation AND r.trains AND r.ending NOT IN ('finished', 'excused')) AS finished  -- 1 = the last incarnation, and it came to its end
    FROM nan_onset n JOIN worker w ON w.id = n.worker_id
   WHERE n.finite_after = 1 AND (w.type IS NULL OR w.type NOT IN ('ps', 'evaluator'));
