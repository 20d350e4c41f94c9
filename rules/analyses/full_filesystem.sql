-- id: full-filesystem
-- title: a file system is full where a task failed
-- class: note
-- needs: full_filesystem
-- weight_db: 0
-- why: what df shows after the end is a hint, not a cause: the program's own word about a full disk says it better (root-text). So it
-- is a remark, and only where the task failed. Images and boot partitions are full by nature.
SELECT w.id AS worker_id, (SELECT max(generation) FROM step_state) AS generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'on ' || f.owner || ' ' || f.mount || ' is full (' || CAST(f.percent AS INTEGER) || ' % of its ' || CASE f.name WHEN 'iuse%' THEN 'inodes' ELSE 'space' END || ')' AS summary,
       '[]' AS evidence_event_ids, 'df' AS kind
  FROM full_filesystem f JOIN worker w ON w.name = f.owner OR w.host = f.owner JOIN run r ON r.worker_id = w.id
 WHERE r.generation = (SELECT max(generation) FROM step_state) AND r.ending NOT IN ('finished', 'excused')
   AND f.mount NOT GLOB '/snap*' AND f.mount NOT GLOB '/boot*' AND f.mount NOT GLOB '/sys*' AND f.mount NOT GLOB '/media*' AND f.mount NOT GLOB '/mnt/iso*'
 GROUP BY w.id
