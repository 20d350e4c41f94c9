-- id: kernel-crash
-- title: the kernel recorded a fault of a task's process
-- class: native-crash
-- kind: kernel
-- needs: kernel_event
-- explains: coll-start-abort, coll-aborted-by, coord-unhealthy
-- weight_db: 35
-- why: algorithms.md 4.6: host evidence is independent of the program, and a fatal signal is one whoever says so. Joined by
-- process id, else by the name or host the kernel log is kept under, only to a run whose exit is that of such a signal or
-- unknown and that left no other word.
WITH joined AS (
  SELECT k.id AS kernel_id, r.worker_id, r.name, r.generation, r.attempt, k.pid, k.kind,
         EXISTS (SELECT 1 FROM worker_pid p WHERE p.worker_id = r.worker_id AND p.pid = k.pid) AS by_pid,
         k.owner IS NOT NULL AND (k.owner = r.name OR k.owner = r.host) AS by_owner
    FROM kernel_event k JOIN run r ON r.ending IN ('silent', 'cut', 'absent', 'crashed')
                                  AND coalesce(r.exit_code, 139) IN (132, 134, 135, 136, 139)
   WHERE k.kind IN ('segfault', 'trap')
     AND NOT EXISTS (SELECT 1 FROM event e WHERE e.id = r.terminal_event_id AND e.kind = 'traceback'))
SELECT worker_id, generation, NULL AS step_lo, NULL AS step_hi, CASE WHEN max(by_pid) THEN NULL ELSE 'supported' END AS confidence_cap,
       NULL AS weight_db,
       'the kernel recorded a fault of ' || coalesce('process ' || pid || ' of ', '') || name AS summary,
       json_group_array('kernel:' || kernel_id) AS evidence_event_ids,
       CASE WHEN max(kind = 'segfault') THEN 'segfault' ELSE 'abort' END AS cause
  FROM joined j
 WHERE by_pid OR by_owner AND NOT EXISTS (SELECT 1 FROM joined b WHERE b.kernel_id = j.kernel_id AND b.by_pid)
 GROUP BY worker_id, attempt
