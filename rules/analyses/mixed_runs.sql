-- id: mixed-runs
-- title: the evidence of one task comes from more than one run
-- class: data-quality
-- needs: run
-- weight_db: 0
-- param: repeats 3 steps that a second process must repeat before it counts
-- param: day_us 93600000000 us no two time zones are further apart than 26 hours
-- param: clock_set_us 946684800000000 us stamps before the year 2000 are of a clock that was never set
-- why: algorithms.md 3.4 and 1.3. Logs of an older run beside or inside those of the run in question, a log under another task's
-- name, two launchers' records: what one run did and another suffered looks like cause and effect. Nothing built on it is more
-- than supported. Restarts that are told apart as attempts, rotated files of one process and stdout beside stderr do not fire.
-- Where a log was appended to and the runs before the launcher's own are told apart, it is only said.
WITH
stamped AS (                          -- from when to when each log with a task was written, as far as its first and last stamp tell
  SELECT worker_id, id AS stream, min(first_us, last_us) AS lo, max(first_us, last_us) AS hi, last_us < first_us - :day_us AS goes_back
    FROM stream WHERE worker_id IS NOT NULL AND min(first_us, last_us) > :clock_set_us),
written AS (SELECT worker_id, min(lo) AS lo, max(hi) AS hi FROM stamped GROUP BY worker_id),
first_over AS (SELECT worker_id, hi FROM written ORDER BY hi, worker_id LIMIT 1),
last_begun AS (SELECT worker_id, lo FROM written ORDER BY lo DESC, worker_id LIMIT 1),
older AS (                            -- whose logs begin with runs of an earlier launch
  SELECT DISTINCT worker_id FROM attempt WHERE n < 0),
launched AS (
  SELECT x.id, x.task, x.attempt, x.pid, w.id AS worker_id
    FROM exit_record x JOIN worker w ON w.name = x.task AND w.instance = 0
   WHERE x.what = 'started' AND x.pid IS NOT NULL),
log_pid AS (
  SELECT t.worker_id, t.id AS stream, t.source_id, CAST(i.value AS INTEGER) AS pid, min(i.byte_offset) AS byte_offset, min(i.line) AS line
    FROM claim_identity i JOIN stream t ON t.id = i.stream
   WHERE i.kind = 'pid' AND t.worker_id IS NOT NULL GROUP BY t.id, pid),
span AS (
  SELECT t.worker_id, t.id AS stream, m.attempt, m.generation, min(m.step) AS lo, max(m.step) AS hi, max(m.seq) AS last_seq
    FROM step_marker m JOIN stream t ON t.id = m.stream
   WHERE t.worker_id IS NOT NULL GROUP BY t.id, m.attempt),
matches AS (
  SELECT DISTINCT l.worker_id, EXISTS (SELECT 1 FROM launched s JOIN log_pid p ON p.worker_id = s.worker_id AND p.pid = s.pid
                                        WHERE s.worker_id = l.worker_id) AS same
    FROM launched l WHERE EXISTS (SELECT 1 FROM log_pid p WHERE p.worker_id = l.worker_id))
SELECT a.worker_id, (SELECT max(generation) FROM step_state) AS generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap,
       NULL AS weight_db,
       a.task || ' was started twice as attempt ' || a.attempt || ', as process ' || a.pid || ' and as process ' || b.pid
         || ': records of two runs are mixed' AS summary,
       json_array('exit:' || a.id, 'exit:' || b.id) AS evidence_event_ids, 'launcher' AS group_key
  FROM launched a JOIN launched b ON b.task = a.task AND b.attempt = a.attempt AND b.pid <> a.pid AND b.id > a.id
 WHERE a.id = (SELECT min(id) FROM launched f WHERE f.task = a.task AND f.attempt = a.attempt)
 GROUP BY a.task, a.attempt
UNION ALL
SELECT a.worker_id, a.generation, NULL, NULL, 'supported', NULL,
       'two logs of ' || w.name || ' are of different processes that both did steps ' || max(a.lo, b.lo) || ' to ' || min(a.hi, b.hi)
         || ': two runs are mixed',
       json_array((SELECT 'marker:' || m.stream || ':' || m.seq FROM step_marker m WHERE m.stream = a.stream AND m.step >= b.lo ORDER BY m.seq LIMIT 1),
                  (SELECT 'marker:' || m.stream || ':' || m.seq FROM step_marker m WHERE m.stream = b.stream AND m.step >= a.lo ORDER BY m.seq LIMIT 1)),
       'logs'
  FROM span a JOIN span b ON b.worker_id = a.worker_id AND b.attempt IS a.attempt AND b.stream > a.stream AND a.lo <= b.hi AND b.lo <= a.hi
       JOIN worker w ON w.id = a.worker_id
 WHERE EXISTS (SELECT 1 FROM log_pid p WHERE p.stream = a.stream) AND EXISTS (SELECT 1 FROM log_pid p WHERE p.stream = b.stream)
   AND NOT EXISTS (SELECT 1 FROM log_pid p JOIN log_pid q ON q.pid = p.pid WHERE p.stream = a.stream AND q.stream = b.stream)
 GROUP BY a.worker_id
UNION ALL
SELECT s.worker_id, s.generation, NULL, NULL, 'supported', NULL,
       'the log of ' || w.name || ' holds a second process ' || p.pid || ' that does steps again, and nobody recorded a restart: two runs are mixed',
       json_array((SELECT 'marker:' || m.stream || ':' || m.seq FROM step_marker m WHERE m.stream = p.stream AND m.seq > p.byte_offset ORDER BY m.seq LIMIT 1)),
       'log'
  FROM span s JOIN log_pid p ON p.stream = s.stream JOIN worker w ON w.id = s.worker_id
 WHERE EXISTS (SELECT 1 FROM log_pid f WHERE f.stream = p.stream AND f.byte_offset < p.byte_offset)
   AND (SELECT count(*) FROM step_marker m WHERE m.stream = s.stream AND m.attempt IS s.attempt AND m.seq > p.byte_offset
          AND m.step <= (SELECT max(o.step) FROM step_marker o WHERE o.stream = s.stream AND o.attempt IS s.attempt AND o.seq < p.byte_offset)) >= :repeats
 GROUP BY s.worker_id
UNION ALL
SELECT a.worker_id, a.generation, NULL, NULL, 'supported', NULL,
       'two logs of ' || w.name || ' were written at different times and both did steps ' || max(a.lo, b.lo) || ' to ' || min(a.hi, b.hi)
         || ': two runs are mixed',
       json_array((SELECT 'marker:' || m.stream || ':' || m.seq FROM step_marker m WHERE m.stream = a.stream AND m.step >= b.lo ORDER BY m.seq LIMIT 1),
                  (SELECT 'marker:' || m.stream || ':' || m.seq FROM step_marker m WHERE m.stream = b.stream AND m.step >= a.lo ORDER BY m.seq LIMIT 1)),
       'times'
  FROM span a JOIN span b ON b.worker_id = a.worker_id AND b.attempt IS a.attempt AND b.stream <> a.stream
       JOIN stream s ON s.id = a.stream JOIN stream t ON t.id = b.stream JOIN worker w ON w.id = a.worker_id
 WHERE s.source_id <> t.source_id AND s.last_us < t.first_us AND min(a.hi, b.hi) - max(a.lo, b.lo) >= :repeats
 GROUP BY a.worker_id
UNION ALL
SELECT min(w.id), (SELECT max(generation) FROM step_state), NULL, NULL, 'supported', NULL,
       'every task has logs of two processes (' || group_concat(w.name, ', ') || '): two runs are mixed, rather than one task started twice', '[]', 'processes'
  FROM (SELECT min(id) AS id, name FROM worker WHERE has_log GROUP BY name HAVING count(*) > 1) w
HAVING count(*) > 1 AND count(*) = (SELECT count(DISTINCT name) FROM worker WHERE has_log AND type IN ('chief', 'worker'))
UNION ALL
SELECT NULL, (SELECT max(generation) FROM step_state), NULL, NULL, 'supported', NULL,
       'the stamps of the tasks are ' || CAST((max(clock_offset_us) - min(clock_offset_us)) / 3600000000 AS INTEGER)
         || ' hours apart at the same steps, more than time zones can be: logs of two runs, or a clock that was never set', '[]', 'days'
  FROM worker WHERE clock_offset_us IS NOT NULL HAVING max(clock_offset_us) - min(clock_offset_us) > :day_us
UNION ALL
SELECT m.worker_id, (SELECT max(generation) FROM step_state), NULL, NULL, 'supported', NULL,
       'the log of ' || w.name || ' is of process ' || (SELECT min(pid) FROM log_pid p WHERE p.worker_id = m.worker_id)
         || ', the launcher started process ' || (SELECT max(pid) FROM launched l WHERE l.worker_id = m.worker_id)
         || '; the logs of other tasks are of the processes it started',
       json_array((SELECT 'exit:' || max(l.id) FROM launched l WHERE l.worker_id = m.worker_id)), 'pid'
  FROM matches m JOIN worker w ON w.id = m.worker_id
 WHERE m.same = 0 AND EXISTS (SELECT 1 FROM matches o WHERE o.same = 1)
UNION ALL
SELECT c.worker_id, max(c.generation, 0), NULL, NULL, 'supported', NULL,
       'a record of ' || coalesce(w.name, 'one task') || ' would come before itself by what it says of ' || coalesce(p.name, 'another task')
         || ' (' || c.edge || '): a log of another run or under another name',
       CASE WHEN c.event_id IS NULL THEN '[]' ELSE json_array(c.event_id) END, 'order'
  FROM order_conflict c LEFT JOIN worker w ON w.id = c.worker_id LEFT JOIN worker p ON p.id = c.peer_worker_id
 GROUP BY c.worker_id, c.peer_worker_id
UNION ALL
SELECT l.worker_id, NULL, NULL, NULL, 'supported', NULL,
       'the log of ' || a.name || ' was begun ' || CAST((l.lo - f.hi) / 3600000000 AS INTEGER) || ' hours after that of ' || b.name
         || ' was over, more than time zones can be: logs of two runs, or a clock that was never set', '[]', 'spans'
  FROM last_begun l JOIN first_over f ON l.lo - f.hi > :day_us JOIN worker a ON a.id = l.worker_id JOIN worker b ON b.id = f.worker_id
UNION ALL
SELECT s.worker_id, NULL, NULL, NULL, 'supported', NULL,
       'the log of ' || w.name || ' ends ' || CAST((s.hi - s.lo) / 3600000000 AS INTEGER)
         || ' hours before it begins, by its stamps, and nothing in it shows where another run begins: two runs are mixed, or the clock was set', '[]', 'back'
  FROM stamped s JOIN worker w ON w.id = s.worker_id
 WHERE s.goes_back AND (SELECT count(*) FROM attempt a WHERE a.worker_id = s.worker_id) = 1
 GROUP BY s.worker_id
UNION ALL
SELECT r.worker_id, NULL, NULL, NULL, 'supported', NULL,
       'the log of ' || r.name || ' goes on ' || CAST((s.hi - max(e.time_raw_us)) / 3600000000 AS INTEGER)
         || ' hours after the exception that ends it, and nothing in it shows where another run begins: two runs are mixed',
       json_array(r.terminal_event_id), 'after'
  FROM run r JOIN event t ON t.id = r.terminal_event_id AND t.kind = 'traceback' JOIN stamped s ON s.stream = t.stream
       JOIN event e ON e.worker_id = r.worker_id AND e.attempt = r.attempt AND e.seq <= t.seq AND e.stream = t.stream
 WHERE (SELECT count(*) FROM attempt a WHERE a.worker_id = r.worker_id) = 1
 GROUP BY r.worker_id HAVING s.hi - max(e.time_raw_us) > :day_us
UNION ALL
SELECT o.worker_id, NULL, NULL, NULL, CASE WHEN every.missing > 0 THEN 'supported' END, NULL,
       'the log of ' || w.name || ' begins with another run than the one that the launcher started'
         || CASE WHEN every.missing > 0 THEN ', and where it ends in the other logs is not shown: two runs are mixed' ELSE ': it is judged apart' END,
       (SELECT json_group_array(id) FROM (SELECT e.id FROM event e WHERE e.worker_id = o.worker_id AND e.attempt = 0 ORDER BY e.seq LIMIT 1)), 'older'
  FROM older o JOIN worker w ON w.id = o.worker_id
       JOIN (SELECT count(*) AS missing FROM worker q WHERE q.has_log AND q.type IS NOT 'ps' AND q.id NOT IN (SELECT worker_id FROM older)) every
