-- id: worker-missing
-- title: a task of the cluster never came
-- class: worker-missing
-- kind: never-came
-- needs: event
-- explains: coord-waiting-tasks, coord-stragglers
-- weight_db: 30
-- why: algorithms.md 4.2 D0: the leader's last list of tasks it waits for, when nobody stepped. A missing task's own fault
-- is the verdict and the list its symptom; a start record caps the word; a server that started but never connected is a
-- network fault, established only where all logs and the task's own TF_CONFIG are there.
WITH up AS MATERIALIZED (SELECT DISTINCT worker_id FROM event WHERE signature_id = 'server-started'),
-- Lines of nobody in the cluster, as of a file for all, tell that a server is up only when they tell it of all.
all_up AS MATERIALIZED (
  SELECT count(DISTINCT c.value) >= (SELECT count(*) FROM worker WHERE in_cluster) AS yes
    FROM event e JOIN event_capture c ON c.event_id = e.id AND c.name = 'address' LEFT JOIN worker w ON w.id = e.worker_id
   WHERE e.signature_id = 'server-started' AND w.in_cluster IS NOT 1),
alone AS MATERIALIZED (SELECT DISTINCT worker_id FROM event WHERE signature_id = 'mwms-single'),
begun AS MATERIALIZED (SELECT DISTINCT task FROM exit_record WHERE what = 'started'),
opened AS MATERIALIZED (
  SELECT DISTINCT i.value, t.worker_id FROM claim_identity i JOIN stream t ON t.id = i.stream WHERE i.kind = 'target' AND t.worker_id IS NOT NULL),
-- Two tasks that opened a server at one address: a fault of the configuration.
doubled AS MATERIALIZED (
  SELECT worker_id FROM opened WHERE value IN (SELECT value FROM opened GROUP BY value HAVING count(*) > 1)),
-- What would show another reason: the logs of all, and what the task was told of the cluster.
unseen AS MATERIALIZED (SELECT generation FROM run WHERE trains AND NOT has_log GROUP BY generation),
told AS MATERIALIZED (SELECT DISTINCT worker_id FROM config_of WHERE worker_id IS NOT NULL)
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi,
       CASE WHEN r.name IN (SELECT task FROM begun)
              OR started AND (r.generation IN (SELECT generation FROM unseen) OR r.worker_id NOT IN (SELECT worker_id FROM told)) THEN 'supported' END AS confidence_cap,
       NULL AS weight_db,
       'the leader waits for ' || r.name || CASE WHEN started THEN ', whose server is up but never connected' ELSE ', which never connected' END AS summary,
       json_group_array('event:' || event_id) AS evidence_event_ids,
       CASE WHEN started THEN 'network-unreachable' END AS class, CASE WHEN started THEN 'firewall' END AS cause
  FROM (SELECT r.*, a.event_id, r.worker_id IN (SELECT worker_id FROM up) OR (SELECT yes FROM all_up) AS started
          FROM accusation a JOIN run r ON r.worker_id = a.accused_worker_id AND r.generation = a.generation
         WHERE a.kind = 'connect-wait' AND a.void IS NULL) r
 WHERE coalesce(r.claims, r.name) = r.name
   AND r.ending NOT IN ('crashed', 'finished')
   AND r.worker_id NOT IN (SELECT worker_id FROM alone WHERE worker_id IS NOT NULL)
   AND r.worker_id NOT IN (SELECT worker_id FROM doubled)
 GROUP BY r.worker_id, r.generation
