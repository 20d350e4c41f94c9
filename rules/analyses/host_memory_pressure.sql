-- id: host-memory-pressure
-- title: the host runs out of free memory in bursts, and the steps are slow in bursts
-- class: host-bound
-- needs: host_stat
-- param: cost 0.2 share what the slow bursts must cost of the run time
-- param: low 0.1 share free memory below this part of its highest is gone
-- param: kernel 2 x how much more the kernel must work while it is gone
-- why: algorithms.md 10: host work dominates. Where every few seconds the page cache is given back by force, the kernel's share of the
-- processors rises (+15) and steps take several times as long in bursts (+15). Both are seen on one host; that they
-- coincide is not, so the word is capped. Of several hosts the one would be a straggler: nothing is said.
WITH sample AS (
  SELECT f.source_id, f.line, f.value AS free, s.value AS sys, max(f.value) OVER (PARTITION BY f.source_id) AS most
    FROM host_stat f JOIN host_stat s ON s.source_id = f.source_id AND s.line = f.line AND s.tool = 'vmstat' AND s.name = 'sy'
   WHERE f.tool = 'vmstat' AND f.name = 'free'),
pressed AS (
  SELECT min(source_id) AS source_id, avg(free < :low * most) AS part, median(CASE WHEN free < :low * most THEN sys END) AS sys_low,
         median(CASE WHEN free >= :low * most THEN sys END) AS sys_high, min(CASE WHEN free < :low * most THEN line END) AS line
    FROM sample HAVING count(*) >= 10 AND count(DISTINCT source_id) = 1),
gap AS (
  SELECT m.stream, m.seq, coalesce(m.step_time_us * 1.0, (m.time_raw_us - lag(m.time_raw_us) OVER same) * 1.0 / (m.step - lag(m.step) OVER same)) AS us
    FROM step_marker m WHERE m.generation = (SELECT max(generation) FROM step_state) AND m.superseded = 0 WINDOW same AS (PARTITION BY m.stream, m.attempt ORDER BY m.seq)),
pace AS (SELECT stream, seq, us, ntile(4) OVER (PARTITION BY stream ORDER BY us) AS quarter FROM gap WHERE us > 0),
usual AS (SELECT stream, median(us) AS us FROM pace WHERE quarter = 1 GROUP BY stream HAVING count(*) >= 3),
slow AS (
  SELECT min(p.stream) AS stream, avg(p.us > 1.5 * u.us) AS part, sum(max(p.us - u.us, 0)) / sum(p.us) AS cost, max(p.us) / min(u.us) AS factor,
         min(CASE WHEN p.us > 1.5 * u.us THEN p.seq END) AS seq
    FROM pace p JOIN usual u ON u.stream = p.stream)
SELECT NULL AS worker_id, (SELECT max(generation) FROM step_state) AS generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi,
       'supported' AS confidence_cap, 15 AS weight_db,
       CASE v.kind WHEN 'slow-bursts' THEN CAST(round(100 * s.part) AS INTEGER) || ' % of the steps take up to ' || round(s.factor, 1) || ' times as long as the usual ones'
                   ELSE 'free memory of the host is gone in ' || CAST(round(100 * p.part) AS INTEGER) || ' % of the samples, and there the kernel takes ' || CAST(p.sys_low AS INTEGER)
                        || ' % of the processors instead of ' || CAST(p.sys_high AS INTEGER) || ' %' END AS summary,
       CASE v.kind WHEN 'slow-bursts' THEN json_array('marker:' || s.stream || ':' || s.seq) ELSE json_array() END AS evidence_event_ids,
       v.kind AS kind, 'host-bound' AS group_key
  FROM pressed p JOIN slow s JOIN frontier JOIN (SELECT 'slow-bursts' AS kind UNION ALL SELECT 'memory-gone') v
 WHERE p.part BETWEEN 0.05 AND 0.95 AND p.sys_low >= :kernel * max(p.sys_high, 1) AND s.part BETWEEN 0.05 AND 0.95 AND s.cost > :cost
   AND abs(p.part - s.part) < 0.2 AND (SELECT count(*) FROM trainer) <= 1
