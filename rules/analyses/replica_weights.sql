-- id: replica-weights
-- title: replicas hold different weights at one step
-- class: replica-divergence
-- kind: checksums
-- needs: checkpoint_tensor
-- weight_db: 40
-- why: algorithms.md 8.5: in synchronous training mirrored variables of one step are bit-identical whoever saved them.
-- Compared by stored checksum between directories of one generation, then by value; the minority is named, two directories or no
-- majority name nobody. A job that ran more than once is not compared: an overwritten prefix differs by right. Variables that
-- are each task's own (statistics of a normalisation in local mode, generators, iterators) say nothing.
WITH one_run AS (
  SELECT s.generation FROM step_state s WHERE s.synchronous AND (SELECT count(*) FROM step_state) = 1),
sets AS (
  SELECT c.id, c.step, c.directory, c.prefix, t.name, t.crc_stored
    FROM checkpoint c JOIN checkpoint_tensor t ON t.checkpoint_id = c.id
   WHERE c.step IS NOT NULL AND c.completeness = 'complete' AND c.integrity <> 'crc-bad' AND c.format = 'v2'
     AND t.dtype IN ('float32', 'float64', 'float16', 'bfloat16') AND t.crc_stored IS NOT NULL
     AND t.name NOT LIKE '%moving\_mean%' ESCAPE '\' AND t.name NOT LIKE '%moving\_var%' ESCAPE '\'
     AND t.name NOT LIKE '%running\_mean%' ESCAPE '\' AND t.name NOT LIKE '%running\_var%' ESCAPE '\'
     AND t.name NOT LIKE '%iterator%' AND t.name NOT LIKE '%rng%' AND t.name NOT LIKE '%generator%'
     AND EXISTS (SELECT 1 FROM one_run)),
common AS (
  SELECT step, name FROM sets GROUP BY step, name
  HAVING count(DISTINCT directory) >= 2 AND count(DISTINCT directory) = (SELECT count(DISTINCT s.directory) FROM sets s WHERE s.step = sets.step)),
prints AS (
  SELECT s.step, s.directory, min(s.prefix) AS prefix, min(s.id) AS id, group_concat(s.crc_stored) AS print FROM (
    SELECT sets.* FROM sets JOIN common USING (step, name) ORDER BY sets.step, sets.directory, sets.name) s
   GROUP BY s.step, s.directory),
votes AS (SELECT step, print, count(*) AS n FROM prints GROUP BY step, print),
bad_step AS (SELECT min(step) AS step FROM (SELECT step FROM votes GROUP BY step HAVING count(*) > 1)),
majority AS (
  SELECT v.step, v.print FROM votes v JOIN bad_step b ON b.step = v.step
   WHERE v.n * 2 > (SELECT sum(n) FROM votes o WHERE o.step = v.step)),
odd AS (
  SELECT p.* FROM prints p JOIN bad_step b ON b.step = p.step JOIN majority m ON m.step = p.step WHERE p.print <> m.print),
mapped AS (
  SELECT o.*, coalesce(
           (SELECT e.worker_id FROM event e JOIN event_capture k ON k.event_id = e.id AND k.name = 'prefix'
             WHERE e.signature_id = 'ckpt-saved' AND e.worker_id IS NOT NULL AND k.value LIKE '%/' || o.prefix LIMIT 1),
           (SELECT w.id FROM worker w WHERE o.directory LIKE '%workertemp_%' AND w.type = 'worker' AND w.instance = 0
               AND w.task_index = CAST(substr(o.directory, instr(o.directory, 'workertemp_') + 11) AS INTEGER)),
           (SELECT w.id FROM worker w WHERE w.instance = 0 AND '/' || o.directory || '/' LIKE '%/' || w.name || '/%'),
           (SELECT w.id FROM worker w WHERE w.leader AND o.directory NOT LIKE '%workertemp_%')) AS worker_id
    FROM odd o),
-- Tensors that differ at that step, as the values were compared.
apart AS (
  SELECT d.prefix, count(*) AS n, min(d.name) AS name, max(d.max_abs) AS max_abs, sum(d.differing) AS differing, sum(d.compared) AS compared
    FROM replica_difference d JOIN checkpoint c ON c.prefix = d.prefix JOIN bad_step b ON b.step = c.step
    JOIN common m ON m.step = c.step AND m.name = d.name GROUP BY d.prefix),
told AS (
  SELECT a.prefix, a.n || CASE WHEN a.n = 1 THEN ' tensor, ' ELSE ' tensors, one of them ' END || a.name
         || coalesce('; ' || a.differing || ' of ' || nullif(a.compared, 0) || ' values compared differ', '')
         || coalesce(', by ' || printf('%.3g', a.max_abs) || ' at most', '') AS text, a.n FROM apart a),
first_common AS (SELECT min(step) AS step FROM common)
SELECT m.worker_id, 0 AS generation, m.step AS step_lo, m.step AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the weights that ' || m.prefix || ' holds at step ' || m.step || ' are not those of the other replicas'
         || coalesce(' (' || (SELECT t.text FROM told t WHERE t.prefix = m.prefix) || ')', '') AS summary,
       (SELECT json_group_array('tensor:' || s.id || '#' || s.name) FROM (
          SELECT s.id, s.name FROM sets s JOIN sets g ON g.step = s.step AND g.name = s.name AND g.directory <> s.directory AND g.crc_stored <> s.crc_stored
           WHERE s.id = m.id GROUP BY s.name ORDER BY s.name LIMIT 4) s) AS evidence_event_ids,
       CASE WHEN m.step = (SELECT step FROM first_common) THEN 'graph'
            WHEN (SELECT count(*) FROM odd) = 1 AND (SELECT t.n FROM told t WHERE t.prefix = m.prefix) = 1 THEN 'hardware'
            ELSE 'unknown' END AS cause, 'weights' AS group_key
  FROM mapped m
UNION ALL
SELECT NULL, 0, b.step, b.step, NULL, NULL,
       'the replicas hold different weights at step ' || b.step
         || coalesce(' (' || (SELECT t.text FROM told t LIMIT 1) || ')', '') || '; no majority tells which is right',
       (SELECT json_group_array('checkpoint:' || p.id) FROM prints p WHERE p.step = b.step),
       CASE WHEN b.step = (SELECT step FROM first_common) THEN 'graph' ELSE 'unknown' END, 'weights'
  FROM bad_step b WHERE b.step IS NOT NULL AND NOT EXISTS (SELECT 1 FROM majority)
