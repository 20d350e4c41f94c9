-- id: nan-first
-- title: training diverged before it printed one finite loss
-- class: nan
-- cause: bad-data
-- kind: first-step
-- needs: event
-- weight_db: 10
-- why: algorithms.md 5.3 and C49: new weights and a first loss that is not finite leave the inputs to be looked at: missing
-- values, an unscaled column. Several tasks say it at once; it names nobody and is never more than supported.
SELECT e.worker_id, e.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       'no finite loss was seen before training stopped on a bad one, and nothing was restored: look for missing values in the inputs' AS summary,
       json_array(min(e.id)) AS evidence_event_ids
  FROM event e
 WHERE e.signature_id IN ('nan-hook', 'terminate-on-nan') AND e.worker_id IS NOT NULL AND e.generation IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM loss_span l WHERE l.generation = e.generation AND l.last_finite IS NOT NULL)
   AND NOT EXISTS (SELECT 1 FROM run r WHERE r.generation = e.generation AND (r.restored_step IS NOT NULL OR r.last_step > 1))
 GROUP BY e.worker_id, e.generation
