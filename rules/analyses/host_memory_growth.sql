-- id: host-memory-growth
-- title: one task's memory grew away from its peers' before it was killed
-- class: oom-host
-- kind: resident-size
-- needs: process_state
-- weight_db: 20
-- param: peers 4 x its last size is above this many times the peers' median
-- param: growth 2 x ... and above this many times its own first size
-- why: algorithms.md 6.2: host memory without a kernel log: a silent task whose listings show it growing. It says where the
-- memory went, not why, so no cause is given and the word is capped.
WITH sizes AS (
  SELECT o.worker_id, p.id, p.rss_kib, row_number() OVER (PARTITION BY o.worker_id ORDER BY p.id) AS n, count(*) OVER (PARTITION BY o.worker_id) AS rows_of
    FROM process_state p JOIN process_owner o ON o.process_id = p.id WHERE p.rss_kib IS NOT NULL),
ends AS (
  SELECT worker_id, max(CASE WHEN n = 1 THEN rss_kib END) AS first_kib, max(CASE WHEN n = rows_of THEN rss_kib END) AS last_kib,
         max(CASE WHEN n = 1 THEN id END) AS first_id, max(CASE WHEN n = rows_of THEN id END) AS last_id
    FROM sizes WHERE rows_of >= 2 GROUP BY worker_id)
SELECT e.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       r.name || ' grew from ' || (e.first_kib / 1024) || ' to ' || (e.last_kib / 1024) || ' MiB resident, its peers did not, and then it was killed' AS summary,
       json_array('process:' || e.first_id, 'process:' || e.last_id) AS evidence_event_ids
  FROM ends e JOIN run r ON r.worker_id = e.worker_id AND r.generation = (SELECT max(generation) FROM step_state)
 WHERE e.last_kib > :growth * e.first_kib AND e.last_kib > :peers * (SELECT median(o.last_kib) FROM ends o WHERE o.worker_id <> e.worker_id)
   AND r.ending IN ('silent', 'absent', 'cut') AND coalesce(r.exit_code, 137) = 137
