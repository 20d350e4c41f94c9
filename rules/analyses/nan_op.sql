-- id: nan-op
-- title: check-numerics names the operation that made the first bad value
-- class: nan
-- kind: bad-op
-- needs: event
-- weight_db: 15
-- why: algorithms.md 5.3: the check stops at the first operation whose output is bad, so its inputs were finite: a logarithm,
-- a division or a root outside its domain; the iterator's own op is a bad batch. No such line exonerates nobody: compiled
-- functions leave the checks out.
WITH named AS (
  SELECT e.id, e.worker_id, e.generation, k.value AS op,
         lower(rtrim(rtrim(replace(k.value, rtrim(k.value, replace(k.value, '/', '')), ''), '0123456789'), '_')) AS base,
         row_number() OVER (PARTITION BY e.worker_id, e.attempt ORDER BY e.seq) AS place
    FROM event e JOIN event_capture k ON k.event_id = e.id AND k.name = 'op'
   WHERE e.signature_id = 'checknum-anatomy' AND e.worker_id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM handed_on h WHERE h.stream = e.stream AND h.record_line = e.record_line)),
judged AS (
  SELECT n.*, CASE WHEN n.op LIKE '%Iterator%' THEN 'bad-data'
                   WHEN n.base IN ('log', 'log1p', 'xlogy', 'xlog1py', 'div', 'realdiv', 'truediv', 'floordiv', 'sqrt', 'rsqrt', 'sqrtgrad',
                                   'rsqrtgrad', 'pow', 'reciprocal', 'inv', 'norm', 'l2normalize') THEN 'op-domain' END AS cause
    FROM named n WHERE n.place = 1)
SELECT j.worker_id, j.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the first operation with a bad output on ' || w.name || ' is ' || j.op AS summary, json_array(j.id) AS evidence_event_ids, j.cause
  FROM judged j JOIN worker w ON w.id = j.worker_id WHERE j.cause IS NOT NULL
