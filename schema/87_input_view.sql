-- Views for the rules about sharding (algorithms.md section 9): which task opened which input file. The + leaves the few events of
-- one signature as the only way in: by task all events would be walked.
CREATE VIEW input_pass AS             -- the first pass of each task over its files: until it opens one again
  WITH opened AS (
    SELECT e.id AS event_id, e.worker_id, e.seq, c.value AS file,
           row_number() OVER (PARTITION BY e.worker_id, c.value ORDER BY e.seq) AS n
      FROM event e JOIN event_capture c ON c.event_id = e.id AND c.name = 'file'
     WHERE e.signature_id = 'prog-input-file' AND (+e.worker_id, e.generation) IN (SELECT worker_id, generation FROM trainer) AND e.attempt = (SELECT max(a.n) FROM attempt a WHERE a.worker_id = e.worker_id)
       AND lower(c.value) NOT GLOB '*[-_./]val[-_./0-9]*' AND lower(c.value) NOT GLOB '*valid*' AND lower(c.value) NOT GLOB '*eval*'
       AND lower(c.value) NOT GLOB '*test*' AND lower(c.value) NOT GLOB '*ckpt*' AND lower(c.value) NOT GLOB '*vocab*')
  SELECT o.event_id, o.worker_id, o.file, again.seq IS NOT NULL AS whole  -- 1 = it came to the end of its list
    FROM opened o LEFT JOIN (SELECT worker_id, min(seq) AS seq FROM opened WHERE n > 1 GROUP BY worker_id) again ON again.worker_id = o.worker_id
   WHERE o.n = 1 AND (again.seq IS NULL OR o.seq < again.seq);

CREATE VIEW input_open AS             -- its files, with the total that names such as train-00003-of-00064 state
  SELECT event_id, worker_id, file, whole,
         CASE WHEN file GLOB '*[0-9]-of-[0-9]*' THEN CAST(substr(file, instr(file, '-of-') + 4) AS INTEGER) END AS of_total
    FROM input_pass;

CREATE VIEW input_part AS             -- how many samples each task counted as its part of the input: its first word of the last attempt
  SELECT worker_id, samples, event_id
    FROM (SELECT e.worker_id, CAST(replace(replace(c.value, ',', ''), '_', '') AS INTEGER) AS samples, e.id AS event_id,
                 row_number() OVER (PARTITION BY e.worker_id ORDER BY e.attempt DESC, e.seq) AS n
            FROM event e JOIN event_capture c ON c.event_id = e.id AND c.name = 'samples'
           WHERE e.signature_id = 'prog-input-size' AND (+e.worker_id, e.generation) IN (SELECT worker_id, generation FROM trainer))
   WHERE n = 1 AND samples > 0;
