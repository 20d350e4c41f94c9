-- id: silent-death
-- title: a task's log stops without a word
-- class: silent-death
-- kind: ends-early
-- needs: run
-- explains: coll-start-abort, coll-aborted-by, coord-unhealthy
-- weight_db: 25
-- why: algorithms.md 4.8 and gates G5, G7, G8: its own log is there and ends without error or end, its exit is 137 or
-- unknown, and nobody cleaned it up. Uncorroborated it counts 5 dB. Of a parameter server it is ps-lost. That nobody knows the
-- reason is established only where somebody would: without a kernel log and without a scheduler's record of any task it stays
-- supported, and the report asks for them (12.5).
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi,
       CASE WHEN r.exit_code IS NULL OR NOT r.has_log OR NOT EXISTS (SELECT 1 FROM source s WHERE s.parser IN ('kernel', 'kubernetes', 'slurm-jobs', 'cgroup-events', 'docker-inspect'))
            THEN 'supported' END AS confidence_cap, NULL AS weight_db,
       CASE WHEN r.has_log THEN r.name || '''s log stops'
              || coalesce(' after step ' || r.last_step, '') || ' without an error'
            ELSE r.name || ' left no log' END
         || coalesce('; exit code ' || r.exit_code, '; nobody recorded its exit') AS summary,
       (SELECT json_group_array(ref) FROM (
          SELECT * FROM (SELECT 'event:' || max(e.id) AS ref FROM event e
                          WHERE e.worker_id = r.worker_id AND e.attempt = r.attempt AND e.kind = 'tail')
           WHERE ref IS NOT NULL
          UNION ALL
          SELECT * FROM (SELECT 'marker:' || m.stream || ':' || m.seq FROM step_marker m JOIN stream t ON t.id = m.stream
                          WHERE t.worker_id = r.worker_id AND m.attempt = r.attempt ORDER BY m.seq DESC LIMIT 1)
          UNION ALL
          SELECT 'exit:' || x.exit_id FROM abnormal_exit x WHERE x.worker_id = r.worker_id AND x.attempt = r.attempt))
         AS evidence_event_ids,
       CASE WHEN r.type = 'ps' THEN 'ps-lost' END AS class
  FROM run r
 WHERE (r.ending = 'silent' OR r.ending = 'absent' AND r.exit_code = 137)
   AND EXISTS (SELECT 1 FROM run v WHERE v.generation = r.generation AND v.worker_id <> r.worker_id
                AND (v.ending IN ('victim', 'crashed', 'cleaned-up')
                     OR coalesce(v.last_step, -1) > coalesce(r.last_step, -1) OR r.exit_code IS NOT NULL))
