-- id: nan-weights
-- title: saved weights are not finite
-- class: nan
-- kind: weights
-- needs: checkpoint
-- why: algorithms.md 5.1 rank 7: a scan of the values gives the onset between two saves. Beside a loss that turned bad it
-- supports it; alone it says that the loss hides it (statistics of a batch normalisation, an unused branch). Checkpoints of
-- a job that ran more than once are not placed in one of its incarnations and count for the last.
WITH saved AS (
  SELECT c.step, max(c.health = 'nonfinite' AND c.integrity <> 'crc-bad') AS bad, min(c.health = 'finite') AS good,
         min(CASE WHEN c.health = 'nonfinite' THEN c.id END) AS id, min(CASE WHEN c.health = 'nonfinite' THEN c.prefix END) AS prefix
    FROM checkpoint c WHERE c.step IS NOT NULL GROUP BY c.step),
first AS (
  SELECT s.*, (SELECT max(g.step) FROM saved g WHERE g.good AND g.step < s.step) AS last_finite
    FROM saved s WHERE s.bad ORDER BY s.step LIMIT 1),
-- A scalar that holds infinity is a bound ("the best loss so far"), and so is what was never finite.
spoilt AS (
  SELECT f.step, t.checkpoint_id, t.name,
         EXISTS (SELECT 1 FROM checkpoint c JOIN checkpoint_tensor e ON e.checkpoint_id = c.id AND e.name = t.name
                  WHERE c.step < f.step AND e.nonfinite = 0 AND e.status = 'ok') AS was_finite
    FROM first f JOIN checkpoint_tensor t ON t.checkpoint_id = f.id WHERE t.nonfinite > 0 AND t.shape <> '[]'),
tensors AS (
  SELECT step, count(*) AS n, min(name) AS name, max(was_finite) AS was_finite FROM spoilt GROUP BY step),
turned AS (
  SELECT min(n.step) AS step FROM nan_onset n WHERE n.finite_after = 0 AND n.generation = (SELECT max(generation) FROM step_state))
SELECT NULL AS worker_id, (SELECT max(generation) FROM step_state) AS generation,
       CASE WHEN f.last_finite IS NULL THEN f.step ELSE f.last_finite + 1 END AS step_lo, f.step AS step_hi,
       CASE WHEN t.step IS NULL AND NOT k.was_finite THEN 'supported' END AS confidence_cap,
       CASE WHEN t.step IS NULL AND k.was_finite THEN 35 ELSE 20 END AS weight_db,
       'the weights that ' || f.prefix || ' holds are not finite (' || k.n || CASE WHEN k.n = 1 THEN ' tensor: ' ELSE ' tensors, one of them ' END || k.name || ')'
         || CASE WHEN f.last_finite IS NULL THEN '' ELSE ', those of step ' || f.last_finite || ' are' END
         || CASE WHEN t.step IS NULL AND EXISTS (SELECT 1 FROM loss_span l WHERE l.last_finite >= f.step)
                 THEN ', while the loss stays finite: it does not show them' ELSE '' END AS summary,
       (SELECT json_group_array('tensor:' || x.checkpoint_id || '#' || x.name) FROM (
          SELECT checkpoint_id, name FROM spoilt ORDER BY was_finite DESC, name LIMIT 4) x) AS evidence_event_ids,
       CASE WHEN t.step IS NULL THEN 'unknown' END AS cause, 'reduced' AS group_key
  FROM first f JOIN tensors k ON k.step = f.step LEFT JOIN turned t ON t.step <= f.step
