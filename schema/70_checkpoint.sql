CREATE TABLE checkpoint(              -- every checkpoint prefix found (algorithms.md section 8.1)
  id           INTEGER PRIMARY KEY,   -- number of the row; what other tables name it by
  source_id    INTEGER,               -- source.id of its index (or V1 file, or first shard without an index)
  prefix       TEXT NOT NULL,         -- path of the prefix in the bundle, e.g. 'ckpt/ckpt-40'
  directory    TEXT NOT NULL,         -- its folder
  format       TEXT NOT NULL,         -- 'v2', 'v1', 'saved-model', 'keras'
  step         INTEGER,               -- from the step variable inside, else the suffix; NULL = unknown
  step_basis   TEXT,                  -- 'tensor', 'suffix'; NULL = unknown
  save_counter INTEGER,               -- NULL = none
  completeness TEXT NOT NULL,         -- 'absent', 'temp-only', 'data-no-index', 'index-unreadable', 'shard-missing', 'shard-short', 'complete'
  integrity    TEXT NOT NULL,         -- 'unknown', 'crc-bad', 'crc-sampled', 'crc-ok'
  health       TEXT NOT NULL,         -- 'unknown', 'nonfinite', 'finite'
  use          TEXT NOT NULL,         -- 'unreferenced', 'in-state-file', 'restored', 'restored-and-stepped'
  shards       INTEGER,               -- shard count by its index
  tensors      INTEGER,               -- tensors by its index; NULL = index not read
  bytes        INTEGER,               -- tensor bytes by its index
  problem      TEXT                   -- a sentence; NULL = nothing wrong
) STRICT;

CREATE TABLE checkpoint_shard(        -- data files of a checkpoint
  checkpoint_id INTEGER NOT NULL,     -- checkpoint.id
  shard         INTEGER NOT NULL,     -- from 0
  path          TEXT NOT NULL,        -- path in the bundle, also of one that is missing
  present       INTEGER NOT NULL,     -- 1 = in the bundle
  bytes         INTEGER,              -- size found
  expected      INTEGER,              -- greatest offset + size by the index
  PRIMARY KEY(checkpoint_id, shard)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint_tensor(       -- tensors by the index of a checkpoint, and what their bytes say
  checkpoint_id INTEGER NOT NULL,     -- checkpoint.id
  name          TEXT NOT NULL,        -- key in the index
  dtype         TEXT NOT NULL,        -- 'float32', 'string', ...
  shape         TEXT NOT NULL,        -- '[16,32]'
  shard         INTEGER,              -- checkpoint_shard.shard; NULL = not known
  byte_offset   INTEGER,              -- in the shard
  bytes         INTEGER,              -- size by the index; NULL = not known
  crc_stored    INTEGER,              -- masked CRC-32C by the index
  crc_actual    INTEGER,              -- masked CRC-32C of the bytes; NULL = not read
  status        TEXT NOT NULL,        -- 'ok', 'crc-bad', 'short', 'missing', 'size-mismatch', 'overlap', 'unread', 'unsupported'
  nonfinite     INTEGER,              -- NaN or Inf values; NULL = not a float or not read
  first_nonfinite INTEGER,            -- byte offset in the shard of the first
  PRIMARY KEY(checkpoint_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint_state(        -- `checkpoint` state files
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  directory   TEXT NOT NULL,          -- folder it lies in
  latest      TEXT,                   -- model_checkpoint_path as written
  line        INTEGER                 -- line of the path in the file, from 1; NULL = no path in it
) STRICT;

CREATE TABLE checkpoint_state_path(   -- all paths a state file keeps
  state_id INTEGER NOT NULL,          -- checkpoint_state.id
  n        INTEGER NOT NULL,          -- order in the file
  path     TEXT NOT NULL,             -- all_model_checkpoint_paths as written
  saved_us INTEGER,                   -- its time stamp; NULL = none
  PRIMARY KEY(state_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint_leftover(     -- remains of unfinished saves: temp directories and files
  id        INTEGER PRIMARY KEY,      -- number of the row; what other tables name it by
  source_id INTEGER,                  -- source.id
  path      TEXT NOT NULL,            -- path in the bundle
  kind      TEXT NOT NULL,            -- 'temp-part', 'tempstate', 'workertemp'
  prefix    TEXT                      -- prefix it was meant for; NULL = unknown
) STRICT;

CREATE TABLE replica_difference(      -- tensors of one name and checkpoint that differ between directories (algorithms.md section 8.5)
  id         INTEGER PRIMARY KEY,     -- number of the row; what other tables name it by
  prefix     TEXT NOT NULL,           -- checkpoint.prefix of the copy
  reference  TEXT NOT NULL,           -- checkpoint.prefix of what it is compared with: the first copy of the majority, else the first
  name       TEXT NOT NULL,           -- tensor
  elements   INTEGER NOT NULL,        -- its values
  compared   INTEGER NOT NULL,        -- of these, compared one by one (the first of a large tensor); 0 = only checksums were
  differing  INTEGER,                 -- of the compared; NULL = none was compared
  max_abs    REAL                     -- greatest absolute difference; NULL = none was compared, or a value is not finite
) STRICT;
