-- id: gpu-throttle
-- title: a GPU runs far below its peers' clock and says why
-- class: straggler
-- kind: gpu-clock
-- needs: gpu_sample
-- weight_db: 35
-- param: clock_share 0.9 share of the peers' median clock below which a sample is slow
-- param: flag_share 0.05 share of compute lost above which a task is flagged
-- param: verdict_share 0.2 share above which it can be the verdict
-- param: least 4 slow samples that count at all
-- why: algorithms.md 7.4: in synchronous training every task shows the same step time, so only the device tells. A sample
-- is slow when its clock is under 0.9 of the peers' median and a thermal or power reason is active with it; idle and
-- application clocks explain nothing, a power cap counts through the clock. What is lost is at most the missing share of
-- the clock in the share of samples that are slow. It needs a peer (G10).
WITH sample AS (
  SELECT g.id, g.owner, g.sm_clock_mhz AS clock, g.throttle,
         g.throttle LIKE '%thermal%' OR g.throttle LIKE '%hw_slowdown%' AS hot,
         g.throttle LIKE '%power%' OR g.throttle LIKE '%brake%' AS power
    FROM gpu_sample g WHERE g.owner IS NOT NULL AND g.sm_clock_mhz IS NOT NULL AND coalesce(g.throttle, '') NOT LIKE '%idle%'),
per_owner AS (SELECT owner, median(clock) AS clock, count(*) AS n FROM sample GROUP BY owner),
peers AS (SELECT median(clock) AS clock, count(*) AS n FROM per_owner),
slow AS (
  SELECT s.owner, count(*) AS n, median(s.clock) AS clock, max(s.hot) AS hot, max(s.id) AS last, min(s.id) AS first
    FROM sample s, peers p WHERE s.clock < :clock_share * p.clock AND (s.hot OR s.power) GROUP BY s.owner),
lost AS (
  SELECT s.*, p.clock AS usual, (1 - s.clock / p.clock) * s.n / o.n AS share
    FROM slow s JOIN per_owner o ON o.owner = s.owner, peers p WHERE p.n >= 2 AND s.n >= :least)
SELECT r.worker_id, r.generation, 1 + 0 * r.worker_id AS step_lo, (SELECT s.frontier FROM step_state s WHERE s.generation = r.generation) AS step_hi, NULL AS confidence_cap,
       CASE WHEN l.share > :verdict_share THEN 35 ELSE 0 END AS weight_db,
       'the GPU of ' || r.name || ' ran at ' || CAST(l.clock AS INTEGER) || ' MHz in ' || l.n || ' samples, its peers'' at ' || CAST(l.usual AS INTEGER)
         || ' MHz; it reports ' || CASE WHEN l.hot THEN 'a thermal slowdown' ELSE 'a power limit' END AS summary,
       json_array('gpu:' || l.first, 'gpu:' || l.last) AS evidence_event_ids,
       CASE WHEN l.hot THEN 'thermal' ELSE 'power' END AS cause
  FROM lost l JOIN run r ON l.owner = r.name OR l.owner = r.host
 WHERE l.share > :flag_share AND r.generation = (SELECT max(generation) FROM step_state)
