-- Views that say whose a dump or listing is.
CREATE VIEW stack_owner AS            -- whose stack a dump is: by task name, by host, by process id; claimants of one name are told apart by process id, or not at all
  WITH candidate AS (
    SELECT k.id AS stack_id, w.id AS worker_id, k.pid FROM stack k JOIN worker w ON w.name = k.owner
    UNION SELECT k.id, w.id, k.pid FROM stack k JOIN worker w ON w.host = k.owner
    UNION SELECT k.id, p.worker_id, k.pid FROM stack k JOIN worker_pid p ON p.pid = k.pid WHERE k.owner IS NULL),
  judged AS (
    SELECT c.stack_id, c.worker_id, p.pid IS NOT NULL AS by_pid, count(*) OVER same AS candidates, sum(p.pid IS NOT NULL) OVER same AS with_pid
      FROM candidate c LEFT JOIN worker_pid p ON p.worker_id = c.worker_id AND p.pid = c.pid
    WINDOW same AS (PARTITION BY c.stack_id))
  SELECT stack_id, worker_id FROM judged WHERE candidates = 1 OR with_pid = 1 AND by_pid;

CREATE VIEW process_owner AS          -- whose process a row of a listing is: as stack_owner; a listing of a host holds strangers, so there the process id decides
  WITH candidate AS (
    SELECT p.id AS process_id, w.id AS worker_id, p.pid, 1 AS by_name FROM process_state p JOIN worker w ON w.name = p.owner
    UNION SELECT p.id, w.id, p.pid, 0 FROM process_state p JOIN worker w ON w.host = p.owner AND w.name <> p.owner
    UNION SELECT p.id, q.worker_id, p.pid, 0 FROM process_state p JOIN worker_pid q ON q.pid = p.pid WHERE p.owner IS NULL),
  judged AS (
    SELECT c.process_id, c.worker_id, c.by_name, q.pid IS NOT NULL AS by_pid, count(*) OVER same AS candidates, sum(q.pid IS NOT NULL) OVER same AS with_pid
      FROM candidate c LEFT JOIN worker_pid q ON q.worker_id = c.worker_id AND q.pid = c.pid
    WINDOW same AS (PARTITION BY c.process_id))
  SELECT process_id, worker_id FROM judged WHERE candidates = 1 AND (by_name OR by_pid) OR candidates > 1 AND with_pid = 1 AND by_pid;
