-- id: input-sizes
-- title: the tasks' parts of the input differ in size
-- class: sharding
-- cause: imbalance
-- needs: input_part
-- param: uneven 0.1 share a spread over the median above this is uneven
-- param: strong 0.5 share a spread above this is a strong imbalance
-- why: algorithms.md 9: what each task counted as its part, as it printed it. Above a tenth is a remark (the smallest part ends
-- the epoch, or is repeated more often), above a half a strong imbalance (+20). Only the first count of each task: later ones
-- may be of other data.
WITH part AS (SELECT * FROM input_part),
spread AS (SELECT count(*) AS tasks, (max(samples) - min(samples)) * 1.0 / median(samples) AS share, min(samples) AS least, max(samples) AS most FROM part)
SELECT NULL AS worker_id, (SELECT max(generation) FROM step_state) AS generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi, 'supported' AS confidence_cap,
       CASE WHEN s.share > :strong THEN 20 ELSE 0 END AS weight_db,
       'the tasks hold between ' || s.least || ' and ' || s.most || ' samples' AS summary,
       (SELECT json_group_array(event_id) FROM (SELECT p.event_id FROM part p ORDER BY p.samples, p.worker_id LIMIT 4)) AS evidence_event_ids,
       'sizes' AS kind, 'input-imbalance' AS group_key
  FROM spread s JOIN frontier WHERE s.tasks >= 2 AND s.tasks = (SELECT count(*) FROM trainer) AND s.share > :uneven
