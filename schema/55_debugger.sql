CREATE TABLE debug_bad_tensor(        -- outputs with NaN or Inf that TensorFlow's debugger recorded, the first of each file
  id          INTEGER PRIMARY KEY,
  source_id   INTEGER NOT NULL,       -- source.id
  byte_offset INTEGER NOT NULL,       -- of the record
  owner       TEXT,                   -- task the file or its folder is named after; NULL = no hint
  kind        TEXT NOT NULL,          -- 'trace' (op inside a graph), 'execution' (eager op or whole function)
  n           INTEGER NOT NULL,       -- order among the bad outputs of the file, from 0
  record      INTEGER NOT NULL,       -- which record of the file, from 0
  op          TEXT NOT NULL,          -- op name (trace) or op type (execution)
  slot        INTEGER,                -- output slot
  device      TEXT,
  mode        INTEGER NOT NULL,       -- TensorDebugMode
  nan         INTEGER,                -- NaN values; NULL = the mode does not count
  inf         INTEGER,                -- infinite values; NULL = the mode does not count
  wall_us     INTEGER                 -- writer's clock, microseconds since the epoch
) STRICT;
