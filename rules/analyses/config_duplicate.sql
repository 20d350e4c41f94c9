-- id: config-duplicate
-- title: two processes claim the same task
-- class: tf-config-duplicate-task
-- kind: claims
-- needs: run
-- explains: coord-diff-incarnation, coord-barrier-failed, coord-barrier-error
-- weight_db: 40
-- why: algorithms.md 11, row 3: TensorFlow itself does not test uniqueness. The claimed task is named; the summary says
-- which sources claim it. Restarts of one process print the same claim and are no second claimant.
WITH claim_of AS (
  SELECT DISTINCT c.worker_id, c.task_type || '-' || c.task_index AS task, min(c.tf_config_id) AS config_id
    FROM config_of c WHERE c.worker_id IS NOT NULL AND c.task_index IS NOT NULL GROUP BY c.worker_id, task),
twice AS (SELECT task FROM claim_of GROUP BY task HAVING count(DISTINCT worker_id) > 1),
-- One pass over the events that say so, whatever the planner thinks of an index: every task of a large job has one.
opened AS MATERIALIZED (SELECT stream, min(id) AS event_id FROM event WHERE signature_id = 'server-started' GROUP BY stream),
target_of AS MATERIALIZED (
  SELECT t.worker_id, i.value AS target, min(o.event_id) AS event_id
    FROM claim_identity i JOIN stream t ON t.id = i.stream LEFT JOIN opened o ON o.stream = i.stream
   WHERE i.kind = 'target' AND t.worker_id IS NOT NULL AND i.value NOT LIKE 'localhost:%' GROUP BY t.worker_id, i.value),
two_logs AS (  -- logs of one name that cannot be one process; when every task is there twice, they are two jobs
  SELECT w.name, min(w.id) AS worker_id, group_concat(coalesce(w.host, 'instance ' || w.instance), ' and ') AS places
    FROM worker w WHERE w.has_log AND w.task_index IS NOT NULL GROUP BY w.name HAVING count(*) > 1
     AND EXISTS (SELECT 1 FROM worker o WHERE o.has_log AND o.task_index IS NOT NULL GROUP BY o.name HAVING count(*) = 1)),
same_target AS (
  SELECT target FROM target_of
   WHERE NOT EXISTS (SELECT 1 FROM tf_config) AND (SELECT max(frontier) FROM step_state) IS NULL AND NOT EXISTS (SELECT 1 FROM unowned_steps)
   GROUP BY target HAVING count(DISTINCT worker_id) > 1)
SELECT (SELECT w.id FROM worker w WHERE w.name = t.task ORDER BY w.instance LIMIT 1) AS worker_id,
       (SELECT max(generation) FROM step_state) AS generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       (SELECT group_concat(w.name, ' and ') FROM claim_of c JOIN worker w ON w.id = c.worker_id WHERE c.task = t.task)
         || ' (by their files) both claim to be ' || t.task AS summary,
       (SELECT json_group_array('tf_config:' || c.config_id) FROM claim_of c WHERE c.task = t.task) AS evidence_event_ids,
       t.task AS group_key, 'claims' AS kind
  FROM twice t
UNION ALL
SELECT (SELECT w.id FROM target_of o JOIN worker w ON w.id = o.worker_id
         WHERE o.target = s.target AND substr(s.target, 1, instr(s.target, ':') - 1) IN (w.name, w.host)),
       (SELECT max(generation) FROM step_state), NULL, NULL, 'supported', NULL,
       (SELECT group_concat(w.name, ' and ') FROM target_of o JOIN worker w ON w.id = o.worker_id WHERE o.target = s.target)
         || ' (by their files) both started a server as ' || s.target,
       (SELECT json_group_array(o.event_id) FROM target_of o WHERE o.target = s.target), s.target, 'claims'
  FROM same_target s
UNION ALL
SELECT t.worker_id, (SELECT max(generation) FROM step_state), NULL, NULL, NULL, NULL,
       'two processes wrote a log as ' || t.name || ': on ' || t.places,
       (SELECT json_group_array(ref) FROM (
          SELECT 'event:' || min(e.id) AS ref FROM event e JOIN worker w ON w.id = e.worker_id WHERE w.name = t.name GROUP BY w.id)),
       t.name, 'claims'
  FROM two_logs t
 WHERE t.name NOT IN (SELECT task FROM twice)
UNION ALL
-- The leader saw two incarnations of a task that nothing restarted.
SELECT w.id, e.generation, NULL, NULL, NULL, 30, 'another process connected as ' || t.task || ', which nothing had restarted',
       json_array(min(e.id)), t.task, 'incarnation'
  FROM twice t JOIN worker w ON w.name = t.task AND w.instance = 0
       JOIN event e ON e.signature_id = 'coord-diff-incarnation' AND e.peer_worker_id = w.id
 WHERE NOT EXISTS (SELECT 1 FROM attempt a WHERE a.worker_id = w.id AND a.n > 0)
 GROUP BY w.id, e.generation, t.task
