-- id: worker-missing
-- title: a task of the cluster never came
-- class: worker-missing
-- kind: never-came
-- needs: event
-- explains: coord-waiting-tasks, coord-stragglers
-- weight_db: 30
-- why: algorithms.md 4.2 D0: the leader's last list of tasks it waits for, when nobody stepped. A missing task's own fault
-- is the verdict and the list its symptom; a start record caps the word; a server that started but never connected is a
-- network fault.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi,
       CASE WHEN EXISTS (SELECT 1 FROM exit_record x WHERE x.task = r.name AND x.what = 'started') THEN 'supported' END AS confidence_cap,
       NULL AS weight_db,
       'the leader waits for ' || r.name || CASE WHEN started THEN ', whose server is up but never connected' ELSE ', which never connected' END AS summary,
       json_group_array('event:' || event_id) AS evidence_event_ids,
       CASE WHEN started THEN 'network-unreachable' END AS class, CASE WHEN started THEN 'firewall' END AS cause
  FROM (SELECT r.*, a.event_id,
               EXISTS (SELECT 1 FROM event e WHERE e.worker_id = r.worker_id AND e.signature_id = 'server-started') AS started
          FROM accusation a JOIN run r ON r.worker_id = a.accused_worker_id AND r.generation = a.generation
         WHERE a.kind = 'connect-wait' AND a.void IS NULL) r
 WHERE coalesce(r.claims, r.name) = r.name
   AND r.ending NOT IN ('crashed', 'finished')
   AND NOT EXISTS (SELECT 1 FROM event e WHERE e.worker_id = r.worker_id AND e.signature_id = 'mwms-single')
   AND NOT EXISTS (SELECT 1 FROM claim_identity i JOIN stream t ON t.id = i.stream
                          JOIN claim_identity j ON j.kind = 'target' AND j.value = i.value JOIN stream u ON u.id = j.stream
                    WHERE i.kind = 'target' AND t.worker_id = r.worker_id AND u.worker_id <> r.worker_id)
 GROUP BY r.worker_id, r.generation
