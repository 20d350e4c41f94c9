-- id: oom-kernel
-- title: the kernel killed a task for want of memory
-- class: oom-host
-- kind: kernel
-- needs: kernel_event
-- explains: coll-start-abort, coll-aborted-by, coord-unhealthy
-- weight_db: 40
-- why: algorithms.md 4.6: host evidence is independent of the program. Joined by process id, else by the name or host the
-- kernel log is kept under, only to a run that ended without a word.
WITH joined AS (
  SELECT k.id AS kernel_id, r.worker_id, r.name, r.generation, r.attempt, k.constraint_, k.pid, k.rss_kib,
         EXISTS (SELECT 1 FROM worker_pid p WHERE p.worker_id = r.worker_id AND p.pid = k.pid) AS by_pid,
         k.owner IS NOT NULL AND (k.owner = r.name OR k.owner = r.host) AS by_owner
    FROM kernel_event k JOIN run r ON r.ending IN ('silent', 'cut', 'absent', 'crashed')
   WHERE k.kind = 'oom-kill')
SELECT worker_id, generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the kernel killed ' || coalesce('process ' || pid || ' of ', '') || name
         || CASE WHEN constraint_ = 'memcg' THEN ' at the memory limit of its control group' ELSE ': the host was out of memory' END
         || coalesce(' (' || (rss_kib / 1024) || ' MiB resident)', '') AS summary,
       json_group_array('kernel:' || kernel_id) AS evidence_event_ids,
       CASE WHEN constraint_ = 'memcg' THEN 'cgroup' ELSE 'kernel' END AS cause
  FROM joined j
 WHERE by_pid OR by_owner AND NOT EXISTS (SELECT 1 FROM joined b WHERE b.kernel_id = j.kernel_id AND b.by_pid)
 GROUP BY worker_id, attempt
