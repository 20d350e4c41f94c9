CREATE TABLE gpu_sample(              -- state of one GPU at one instant
  id            INTEGER PRIMARY KEY,
  source_id     INTEGER NOT NULL,     -- source.id
  line          INTEGER NOT NULL,
  byte_offset   INTEGER NOT NULL,
  owner         TEXT,                 -- task or host the source is named after; NULL = no hint
  gpu_index     INTEGER,              -- NULL = not said
  uuid          TEXT,
  pci_bus       TEXT,                 -- lower case, e.g. '00000000:3b:00.0'
  name          TEXT,                 -- product name
  time_raw_us   INTEGER,              -- host's clock; NULL = no stamp
  util_percent  REAL,                 -- SM utilisation
  mem_util_percent REAL,
  mem_used_mib  REAL,
  mem_total_mib REAL,
  mem_reserved_mib REAL,
  temperature_c REAL,
  power_w       REAL,
  power_limit_w REAL,
  sm_clock_mhz  REAL,
  mem_clock_mhz REAL,
  throttle      TEXT,                 -- active event (throttle) reasons, comma separated; '' = none active; NULL = not reported
  ecc_uncorrected INTEGER,            -- volatile uncorrectable errors
  ecc_corrected INTEGER,
  driver        TEXT,
  cuda          TEXT,
  mig           INTEGER               -- 1 = MIG device or MIG enabled
) STRICT;

CREATE TABLE gpu_process(             -- processes that hold GPU memory
  id            INTEGER PRIMARY KEY,
  source_id     INTEGER NOT NULL,     -- source.id
  line          INTEGER NOT NULL,
  byte_offset   INTEGER NOT NULL,
  gpu_index     INTEGER,
  uuid          TEXT,
  pid           INTEGER,
  type          TEXT,                 -- 'C', 'G', 'C+G', 'M'
  name          TEXT,
  mem_used_mib  REAL,
  time_raw_us   INTEGER
) STRICT;

CREATE TABLE allocator_dump(          -- one failed allocation with the state of its pool (algorithms.md section 6.1)
  id            INTEGER PRIMARY KEY,
  source_id     INTEGER NOT NULL,     -- source.id
  stream        INTEGER,              -- stream.id
  line          INTEGER NOT NULL,
  byte_offset   INTEGER NOT NULL,
  allocator     TEXT,                 -- e.g. 'GPU_0_bfc'
  requested     INTEGER,              -- bytes, rounded request R
  limit_bytes   INTEGER,              -- L
  in_use        INTEGER,              -- U
  pool          INTEGER,              -- P, bytes in regions
  largest_free  INTEGER,              -- G
  op            TEXT                  -- op that asked; NULL = not said
) STRICT;
