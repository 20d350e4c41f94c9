-- id: never-seen
-- title: a task of the cluster left no trace at all
-- class: worker-missing
-- kind: no-trace
-- needs: tf_config
-- weight_db: 20
-- why: algorithms.md 4.2 D0 for releases without a coordination service: the servers of the others are up, nobody stepped and
-- nobody complained, and of this task there is no log, no start and no exit. It may also be missing from the bundle, so the
-- word is capped; where more is missing than present nothing is said.
WITH last AS (SELECT max(generation) AS generation, max(frontier) AS frontier FROM step_state),
present AS (
  SELECT r.* FROM run r JOIN last l ON l.generation = r.generation WHERE r.has_log AND r.trains),
gone AS (
  SELECT r.* FROM run r JOIN last l ON l.generation = r.generation
   WHERE NOT r.has_log AND r.in_cluster AND r.trains AND r.ending = 'absent'
     AND NOT EXISTS (SELECT 1 FROM exit_record x WHERE x.task = r.name))
SELECT g.worker_id, g.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       g.name || ' is in the cluster and left no log, no start and no exit; the server of ' || (SELECT min(p.name) FROM present p) || ' is up and waits' AS summary,
       (SELECT json_group_array(ref) FROM (SELECT 'tf_config:' || c.tf_config_id AS ref FROM config_of c JOIN present p ON p.worker_id = c.worker_id LIMIT 24)) AS evidence_event_ids
  FROM gone g JOIN last l ON l.generation = g.generation
 WHERE l.frontier IS NULL AND NOT EXISTS (SELECT 1 FROM unowned_steps) AND (SELECT count(*) FROM gone) <= (SELECT count(*) FROM present)
   AND NOT EXISTS (SELECT 1 FROM present p WHERE p.ending NOT IN ('silent', 'cleaned-up', 'unknown'))
   AND NOT EXISTS (SELECT 1 FROM present p WHERE NOT EXISTS (SELECT 1 FROM event e WHERE e.worker_id = p.worker_id AND e.signature_id = 'server-started'))
   AND NOT EXISTS (SELECT 1 FROM accusation a WHERE a.kind = 'connect-wait' AND a.void IS NULL)
