-- id: nan-debugger
-- title: the tensor debugger saw where the first bad value was made
-- class: nan
-- kind: bad-op
-- needs: debug_bad_tensor
-- weight_db: 40
-- why: algorithms.md 5.2: take each worker's first non-finite output; the worker whose first is not an output of a
-- collective is the origin, the others received it in theirs. An iterator's op is bad data; log, division and roots are the
-- op's own domain.
WITH placed AS (
  SELECT d.*, coalesce(
           (SELECT w.id FROM worker w WHERE w.name = d.owner AND w.instance = 0),
           (SELECT w.id FROM worker w WHERE w.instance = 0
               AND d.device LIKE '/job:' || w.type || '/replica:0/task:' || w.task_index || '/%')) AS worker_id
    FROM debug_bad_tensor d),
first AS (
  SELECT p.*, row_number() OVER (PARTITION BY p.worker_id ORDER BY p.wall_us, p.kind = 'execution', p.n) AS place
    FROM placed p WHERE p.worker_id IS NOT NULL),
-- "loss/Log_1" and "Log" are both a log: the last part of the name, without the number that makes it unique.
origin AS (
  SELECT f.*, p.function, p.line, p.path, coalesce(lower(p.op_type), lower(rtrim(rtrim(replace(f.op, rtrim(f.op, replace(f.op, '/', '')), ''), '0123456789'), '_'))) AS base
    FROM first f LEFT JOIN (SELECT bad_id, min(op_type) AS op_type, min(path) AS path, min(line) AS line, min(function) AS function
                              FROM debug_place GROUP BY bad_id) p ON p.bad_id = f.id
   WHERE f.place = 1 AND f.op NOT LIKE 'Collective%' AND f.op NOT LIKE '%/Collective%' AND f.op NOT LIKE 'Nccl%')
SELECT CASE WHEN (SELECT count(*) FROM origin) = 1 THEN o.worker_id END AS worker_id, r.generation, NULL AS step_lo, NULL AS step_hi,
       NULL AS confidence_cap, NULL AS weight_db,
       'the first bad value on ' || r.name || ' is output ' || coalesce(o.slot, 0) || ' of ' || o.op || ', no collective: it was made there'
         || coalesce(', by ' || o.path || ':' || o.line || coalesce(' in ' || o.function, ''), '') AS summary,
       json_array('debug:' || o.id) AS evidence_event_ids,
       CASE WHEN o.op LIKE '%Iterator%' THEN 'bad-data'
            WHEN o.base IN ('log', 'log1p', 'xlogy', 'xlog1py', 'div', 'realdiv', 'truediv', 'floordiv', 'sqrt', 'rsqrt', 'sqrtgrad', 'rsqrtgrad',
                            'pow', 'reciprocal', 'inv', 'norm', 'l2normalize') THEN 'op-domain' END AS cause
  FROM origin o JOIN run r ON r.worker_id = o.worker_id AND r.generation = (SELECT max(generation) FROM step_state)
