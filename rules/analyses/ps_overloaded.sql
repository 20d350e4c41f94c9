-- id: ps-overloaded
-- title: several tasks wait for one parameter server that lives
-- class: ps-overloaded
-- needs: step_marker
-- param: verdict_share 0.2 share it can be the verdict when the intervals with late calls cost more than this, or the job stands still
-- param: late_share 0.3 share where no time is printed it can be the verdict when late calls stand in this share of some task's intervals
-- why: algorithms.md 1.7 and 4.3 h: calls of at least two tasks to the same parameter server are late or repeated (+20) and to no
-- other, while the server itself did not end (+15; without its log and its exit nobody knows): overloaded, not lost. A coordinator that reports for its workers names each
-- in its message. What it costs: how much longer the steps are in which such calls stand than the others; and how much longer
-- the usual step became than in the fastest quarter, for a server that ever more is asked of delays every step. Where nothing
-- is stamped nobody knows what it costs: how many intervals it reaches is all there is, and no more than a hypothesis.
WITH late AS (
  SELECT e.id, e.stream, e.seq, e.record_line, p.id AS ps_id,
         coalesce((SELECT n.id FROM worker n WHERE n.type = 'worker' AND n.instance = 0 AND e.text GLOB '*on worker /job:worker/replica:0/task:' || n.task_index || '[^0-9]*'), e.worker_id) AS caller
    FROM event e JOIN worker p ON p.type = 'ps' AND (e.peer_worker_id = p.id OR e.text || ' ' GLOB '*/job:ps/replica:0/task:' || p.task_index || '[^0-9]*')
         JOIN worker w ON w.id = e.worker_id AND w.type IS NOT 'ps'
   WHERE e.generation = (SELECT max(generation) FROM step_state)
     AND (e.text LIKE '%deadline exceeded%' OR e.text LIKE '%DEADLINE_EXCEEDED%' OR e.text LIKE '%retrying%' OR e.text LIKE '%timed out%')),
named AS (
  SELECT ps_id, count(DISTINCT caller) AS tasks, count(DISTINCT stream || ':' || record_line) AS calls FROM late GROUP BY ps_id),
gap AS (
  SELECT stream, seq, lag(seq) OVER (PARTITION BY stream ORDER BY seq) AS before,
         coalesce(time_raw_us - lag(time_raw_us) OVER (PARTITION BY stream ORDER BY seq), step_time_us) AS us
    FROM step_marker WHERE generation = (SELECT max(generation) FROM step_state) AND superseded = 0),
usual AS (
  SELECT g.stream, median(g.us) AS us, sum(g.us) AS total FROM gap g
   WHERE NOT EXISTS (SELECT 1 FROM late l WHERE l.stream = g.stream AND l.seq > g.before AND l.seq <= g.seq) GROUP BY g.stream),
slow AS (
  SELECT g.stream, sum(g.us) AS total, count(*) AS n FROM gap g
   WHERE EXISTS (SELECT 1 FROM late l WHERE l.stream = g.stream AND l.seq > g.before AND l.seq <= g.seq) GROUP BY g.stream),
pace AS (
  SELECT stream, us, ntile(4) OVER (PARTITION BY stream ORDER BY us) AS quarter FROM gap WHERE us > 0),
best AS (SELECT stream, median(us) AS us FROM pace WHERE quarter = 1 GROUP BY stream HAVING count(*) >= 5),
cost AS (
  SELECT max(share) AS share FROM (
    SELECT (s.total - s.n * u.us) * 1.0 / (s.total + u.total) AS share FROM slow s JOIN usual u ON u.stream = s.stream WHERE u.us > 0
    UNION ALL
    SELECT 1 - b.us * 1.0 / (SELECT median(p.us) FROM pace p WHERE p.stream = b.stream) FROM best b)),
reach AS (                            -- share of a task's intervals in which late calls stand, where no time is known
  SELECT max(share) AS share FROM (
    SELECT sum(EXISTS (SELECT 1 FROM late l WHERE l.stream = g.stream AND l.seq > g.before AND l.seq <= g.seq)) * 1.0 / count(*) AS share
      FROM gap g WHERE g.before IS NOT NULL GROUP BY g.stream HAVING count(g.us) = 0)),
stuck AS (
  SELECT count(*) > 0 AS yes FROM run r WHERE r.trains AND r.generation = (SELECT max(generation) FROM step_state) AND r.ending NOT IN ('finished', 'excused'))
SELECT n.ps_id AS worker_id, r.generation, CASE WHEN frontier.step IS NOT NULL THEN 1 END AS step_lo, frontier.step AS step_hi,
       CASE WHEN stuck.yes OR (SELECT share FROM cost) IS NOT NULL THEN 'supported' ELSE 'hypothesis' END AS confidence_cap,
       CASE WHEN stuck.yes OR coalesce((SELECT share FROM cost), 0) > :verdict_share OR coalesce((SELECT share FROM reach), 0) > :late_share
            THEN v.weight ELSE 0 END AS weight_db,
       CASE v.kind WHEN 'late-calls' THEN n.calls || ' late or repeated calls of ' || n.tasks || ' tasks go to ' || w.name || ', none to another server'
                        || coalesce(CASE WHEN (SELECT share FROM cost) > 0 THEN ', and cost ' || CAST(round(100 * (SELECT share FROM cost)) AS INTEGER) || ' % of the time' END, '')
                   ELSE w.name || ' itself is alive: it wrote no error and did not end before the others' END AS summary,
       (SELECT json_group_array(id) FROM (SELECT id FROM late l WHERE l.ps_id = n.ps_id ORDER BY id LIMIT 4)) AS evidence_event_ids,
       v.kind AS kind
  FROM named n JOIN worker w ON w.id = n.ps_id JOIN run r ON r.worker_id = n.ps_id AND r.generation = (SELECT max(generation) FROM step_state)
       JOIN stuck JOIN (SELECT 20 AS weight, 'late-calls' AS kind UNION ALL SELECT 15, 'server-lives') v
       JOIN frontier
 WHERE n.tasks >= 2 AND (SELECT count(*) FROM named) = 1
   AND (r.ending IN ('finished', 'excused', 'cleaned-up') AND r.has_log OR v.kind = 'late-calls' AND r.ending = 'absent' AND r.exit_code IS NULL)
