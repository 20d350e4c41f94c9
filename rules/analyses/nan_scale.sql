-- id: nan-scale
-- title: the loss scale collapsed
-- class: nan
-- cause: fp16-overflow
-- kind: loss-scale
-- needs: loss_span
-- weight_db: 20
-- why: algorithms.md 5.3: a scale that is halved five times in a row without growing means gradients that are not finite step
-- after step; a single halving is how the scale is found. A collapse after which the loss stays finite was survived.
SELECT NULL AS worker_id, s.generation, min(s.step) AS step_lo, min(s.step) AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       min(s.text) || ': gradients overflow in 16 bits step after step' AS summary, json_group_array(s.ref) AS evidence_event_ids, 'reduced' AS group_key
  FROM nan_sign s
 WHERE s.kind = 'scale-collapse'
   AND (EXISTS (SELECT 1 FROM nan_onset n WHERE n.generation = s.generation AND n.finite_after = 0)
        OR NOT EXISTS (SELECT 1 FROM loss_span l WHERE l.generation = s.generation AND l.last_finite >= s.step))
 GROUP BY s.generation
