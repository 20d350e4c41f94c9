-- id: nan-unowned
-- title: a loss stopped being finite in lines of unknown tasks
-- class: nan
-- cause: unknown
-- kind: loss
-- needs: step_marker
-- weight_db: 35
-- why: algorithms.md 5.1: a printed loss gives the step whoever printed it. Lines whose task nothing tells name nobody and do not
-- tell a local loss from a reduced one, so the word is capped; a finite loss of a later step takes the claim back.
WITH told AS (
  SELECT m.stream, m.seq, m.step, m.loss_state
    FROM stream t CROSS JOIN step_marker m ON m.stream = t.id  -- CROSS: the few streams of nobody first
   WHERE t.worker_id IS NULL AND m.superseded = 0 AND m.loss_state IS NOT NULL),
first AS (SELECT min(step) AS step, count(*) AS n FROM told WHERE loss_state <> 'finite'),
last AS (SELECT generation, unit FROM step_state ORDER BY generation DESC LIMIT 1)
SELECT NULL AS worker_id, l.generation, CASE WHEN l.unit = 'step' THEN f.step END AS step_lo, CASE WHEN l.unit = 'step' THEN f.step END AS step_hi,
       'supported' AS confidence_cap, NULL AS weight_db,
       'the loss is not finite from step ' || f.step || ' on; nothing tells whose lines say so' AS summary,
       (SELECT json_group_array('marker:' || stream || ':' || seq) FROM (
          SELECT stream, seq FROM told WHERE loss_state <> 'finite' ORDER BY step, stream, seq LIMIT 4)) AS evidence_event_ids,
       'reduced' AS group_key
  FROM first f JOIN last l
 WHERE f.n >= 2 AND NOT EXISTS (SELECT 1 FROM told o WHERE o.loss_state = 'finite' AND o.step > f.step)
