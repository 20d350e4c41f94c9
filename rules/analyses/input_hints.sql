-- id: input-hints
-- title: without a profile: devices idle in turns while every task sits in its input pipeline
-- class: input-bound
-- needs: stack_thread
-- param: idle 0.3 share of samples with an idle device, on every task
-- why: algorithms.md 10, without a profile: step times alone do not tell input from compute. Stacks of all tasks taken while
-- training went on that stand in the input pipeline (+15), with devices that change between idle and busy on all tasks (+10),
-- point at it; a hypothesis, for neither says what it costs.
WITH input AS (
  SELECT r.worker_id, min(t.id) AS thread_id, min(t.frame) AS frame
    FROM stack k JOIN stack_thread t ON t.stack_id = k.id JOIN trainer r ON r.name = k.owner WHERE t.class = 'input' GROUP BY r.worker_id),
device AS (
  SELECT r.worker_id, count(*) AS n, avg(g.util_percent < 10) AS idle, avg(g.util_percent >= 60) AS busy, min(g.id) AS sample_id
    FROM gpu_sample g JOIN trainer r ON g.owner = r.name OR g.owner = r.host
   WHERE g.util_percent IS NOT NULL
     AND g.id BETWEEN (SELECT min(a.id) FROM gpu_sample a WHERE a.owner = g.owner AND a.util_percent >= 60)
                  AND (SELECT max(a.id) FROM gpu_sample a WHERE a.owner = g.owner AND a.util_percent >= 60) GROUP BY r.worker_id)
SELECT NULL AS worker_id, (SELECT max(generation) FROM step_state) AS generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi, 'hypothesis' AS confidence_cap, v.weight AS weight_db,
       CASE v.kind WHEN 'stacks' THEN 'every task''s stack stands in its input pipeline' || coalesce(', e.g. ' || (SELECT min(frame) FROM input), '')
                   ELSE 'the GPU of every task is idle in at least ' || CAST(round(100 * (SELECT min(idle) FROM device)) AS INTEGER) || ' % of the samples between busy ones' END AS summary,
       CASE v.kind WHEN 'stacks' THEN (SELECT json_group_array('thread:' || thread_id) FROM input)
                   ELSE (SELECT json_group_array('gpu:' || sample_id) FROM device) END AS evidence_event_ids,
       v.kind AS kind, 'input-bound' AS group_key
  FROM (SELECT 15 AS weight, 'stacks' AS kind UNION ALL SELECT 10, 'devices') v
       JOIN frontier
 WHERE (SELECT count(*) FROM input) = (SELECT count(*) FROM trainer) AND (SELECT count(*) FROM device) = (SELECT count(*) FROM trainer)
   AND NOT EXISTS (SELECT 1 FROM device WHERE n < 20 OR idle < :idle OR busy < 0.2)
   AND NOT EXISTS (SELECT 1 FROM profile_task)
