CREATE TABLE job_replica(             -- what a training job on Kubernetes declares per type of task, and what its operator counted
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  kind        TEXT NOT NULL,          -- 'TFJob', 'PyTorchJob', 'MPIJob'
  job         TEXT,                   -- its name
  task_type   TEXT NOT NULL,          -- lower case: 'worker', 'ps', 'chief', 'launcher'
  replicas    INTEGER,                -- declared; NULL = left to the default of 1
  restart_policy TEXT,                -- as written, e.g. 'ExitCode', 'Never'
  active      INTEGER,                -- counted by the operator; NULL = not said
  succeeded   INTEGER,                -- counted by the operator; NULL = not said
  failed      INTEGER                 -- counted by the operator; NULL = not said
) STRICT;
