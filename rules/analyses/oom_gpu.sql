-- id: oom-gpu
-- title: the allocator's own figures say why the device ran out of memory
-- class: oom-gpu
-- kind: allocator
-- needs: allocator_dump
-- weight_db: 35
-- param: early_steps 2 step a first failure up to this step is a model that never fitted
-- param: foreign_mib 1024 MiB memory of other processes that makes them the reason
-- why: algorithms.md 6.1: R requested, U in use, P pool, L limit, G largest free chunk. R > L or U + R > L: capacity, early;
-- growth later. Free enough but in pieces: fragmentation. Room left below the limit: another holder. The hint about
-- fragmentation is printed on every such failure and weighs nothing.
WITH dump AS (
  SELECT d.*, coalesce(t.worker_id, (SELECT ws.worker_id FROM worker_source ws WHERE ws.source_id = d.source_id LIMIT 1)) AS worker_id
    FROM allocator_dump d LEFT JOIN stream t ON t.id = d.stream),
last_dump AS (
  SELECT d.*, row_number() OVER (PARTITION BY d.worker_id ORDER BY d.byte_offset DESC) AS n FROM dump d WHERE d.worker_id IS NOT NULL),
foreign_memory AS (
  SELECT g.owner, sum(p.mem_used_mib) AS mib FROM gpu_process p JOIN (SELECT DISTINCT source_id, owner FROM gpu_sample) g ON g.source_id = p.source_id
   WHERE NOT EXISTS (SELECT 1 FROM worker_pid w WHERE w.pid = p.pid) GROUP BY g.owner),
limits AS (
  SELECT worker_id, max(limit_bytes) AS limit_bytes
    FROM (SELECT worker_id, limit_bytes FROM dump
          UNION ALL  -- tasks without a failure told their limit when they opened the device
          SELECT e.worker_id, CAST(c.value AS INTEGER) * 1048576
            FROM event e JOIN event_capture c ON c.event_id = e.id AND c.name = 'limit'
           WHERE e.signature_id = 'device-created')
   WHERE worker_id IS NOT NULL GROUP BY worker_id)
SELECT d.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ': ' || coalesce(d.allocator, 'the allocator') || ' could not give ' || coalesce(round(d.requested / 1048576.0, 1), '?')
         || ' MiB' || coalesce(' for ' || d.op, '') || coalesce(' (in use ' || round(d.in_use / 1048576.0, 1) || ' of ' || round(d.limit_bytes / 1048576.0, 1) || ' MiB)', '') AS summary,
       json_array('dump:' || d.id) AS evidence_event_ids,
       CASE WHEN d.allocator LIKE '%host%' OR d.allocator LIKE '%pinned%' THEN 'pinned'
            WHEN EXISTS (SELECT 1 FROM foreign_memory f WHERE f.owner IN (r.name, r.host) AND f.mib > :foreign_mib) THEN 'foreign-process'
            WHEN d.limit_bytes < 0.9 * (SELECT median(l.limit_bytes) FROM limits l) THEN 'smaller-gpu'
            WHEN d.requested > d.limit_bytes THEN 'capacity'
            WHEN d.in_use + d.requested > d.limit_bytes AND coalesce(r.last_step, 0) <= :early_steps THEN 'capacity'
            WHEN d.in_use + d.requested > d.limit_bytes THEN 'leak'
            WHEN d.largest_free IS NOT NULL AND d.largest_free < d.requested AND coalesce(d.limit_bytes - d.pool, 0) < d.requested THEN 'fragmentation'
            WHEN d.limit_bytes - d.pool >= d.requested THEN 'foreign-process' END AS cause
  FROM last_dump d JOIN run r ON r.worker_id = d.worker_id
 WHERE d.n = 1 AND r.ending IN ('crashed', 'cut', 'silent') AND r.generation = (SELECT max(generation) FROM step_state)
