-- id: input-bound
-- title: all tasks wait for input
-- class: input-bound
-- needs: profile_step
-- param: high 0.2 share waiting for input and for peers must cost this much on every task
-- param: alike 0.05 share printed step times show no straggler while every task's cost stays below this
-- why: algorithms.md 10: with pipelines that are equally slow the slower one changes from step to step, so waits for input and
-- for peers count together, and the threads that make the batches decide: busy nearly all the time on every task (+25), and
-- waiting above a fifth of the time on every task (+20). With profiles of some tasks only it can be the others that are
-- fast, and printed step times must show that nobody is the straggler.
-- A bundle of profiles and nothing else is judged for the hosts it shows.
WITH task AS (SELECT * FROM input_limited),
seen AS (
  SELECT count(*) AS tasks, (SELECT count(*) FROM trainer) AS trainers, min(waiting) AS least, max(input_share) AS most, min(limited) AS all_limited,
         sum(producer IS NOT NULL AND producer >= 0.8) AS busy, min(producer) AS least_busy
    FROM task),
alike AS (SELECT count(*) >= 2 AND max(cost) < :alike AS yes FROM straggler_cost WHERE generation = (SELECT max(generation) FROM step_state)),
stage AS (
  SELECT i.name FROM profile_iterator i JOIN task t ON t.source_id = i.source_id
   GROUP BY i.name ORDER BY sum(i.self_us) DESC, i.name LIMIT 1)
SELECT NULL AS worker_id, (SELECT max(generation) FROM step_state) AS generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi,
       CASE WHEN s.tasks <> s.trainers OR s.busy < s.tasks THEN 'supported' END AS confidence_cap, v.weight AS weight_db,
       CASE v.kind
         WHEN 'input-wait' THEN 'waiting for input, one''s own or that of a peer, takes at least ' || CAST(round(100 * s.least) AS INTEGER)
              || ' % of the time on each of the ' || s.tasks || ' profiled task(s)'
         ELSE CASE WHEN s.busy = s.tasks THEN 'the threads that make the batches are busy at least ' || CAST(round(100 * s.least_busy) AS INTEGER)
                        || ' % of the time on every profiled task'
                   ELSE 'no task''s pipeline keeps up with its steps' END
              || coalesce('; most time goes into ' || (SELECT name FROM stage), '')
       END AS summary,
       (SELECT json_group_array('profile:' || profile_id) FROM (SELECT profile_id FROM task ORDER BY worker_id)) AS evidence_event_ids,
       v.kind AS kind, 'input-bound' AS group_key
  FROM seen s JOIN (SELECT 25 AS weight, 'producers' AS kind UNION ALL SELECT 20, 'input-wait') v
       JOIN frontier
 WHERE s.tasks > 0 AND s.all_limited AND s.least >= :high AND s.most >= :high
   AND (s.tasks = s.trainers OR s.trainers = 0 OR coalesce((SELECT yes FROM alike), 0))
