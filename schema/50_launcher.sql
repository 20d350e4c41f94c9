CREATE TABLE exit_record(             -- what launcher, scheduler or orchestrator recorded of processes
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  what        TEXT NOT NULL,          -- 'started', 'exited', 'deadline', 'terminating', 'cancelled', 'time-limit', 'preempted', 'oom', 'node-fail', 'evicted', 'job-end', 'not-started' (the orchestrator could not start it)
  task        TEXT,                   -- 'worker-0'; NULL = the job, or known by rank or host alone
  rank        INTEGER,                -- Slurm or MPI rank; NULL = none
  host        TEXT,                   -- NULL = not said
  attempt     INTEGER,                -- as the launcher numbers it; NULL = not said
  pid         INTEGER,                -- NULL = not said
  exit_code   INTEGER,                -- shell convention (128+N for signals); NULL = not said
  signal      INTEGER,                -- NULL = none or not said
  reason      TEXT,                   -- e.g. 'OOMKilled', 'TIMEOUT'; NULL = none
  time_raw_us INTEGER,                -- writer's clock; NULL = no stamp
  text        TEXT NOT NULL           -- the line, cut at 2000 bytes
) STRICT;
