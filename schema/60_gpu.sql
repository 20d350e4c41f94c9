CREATE TABLE gpu_sample(              -- state of one GPU at one instant
  id            INTEGER PRIMARY KEY,  -- number of the row; what other tables name it by
  source_id     INTEGER NOT NULL,     -- source.id
  line          INTEGER NOT NULL,     -- line of the source, from 1
  byte_offset   INTEGER NOT NULL,     -- where that line starts in the decompressed source
  owner         TEXT,                 -- task or host the source is named after; NULL = no hint
  gpu_index     INTEGER,              -- NULL = not said
  uuid          TEXT,                 -- NULL = not said
  pci_bus       TEXT,                 -- lower case, e.g. '00000000:3b:00.0'
  name          TEXT,                 -- product name
  time_raw_us   INTEGER,              -- host's clock; NULL = no stamp
  util_percent  REAL,                 -- SM utilisation
  mem_util_percent REAL,              -- utilisation of the memory controller; NULL = not reported, as in all columns below
  mem_used_mib  REAL,                 -- memory in use, MiB
  mem_total_mib REAL,                 -- memory of the device, MiB
  mem_reserved_mib REAL,              -- memory the driver keeps for itself, MiB
  temperature_c REAL,                 -- degrees Celsius of the core
  power_w       REAL,                 -- power drawn, watts
  power_limit_w REAL,                 -- limit in force, watts
  sm_clock_mhz  REAL,                 -- clock of the multiprocessors, MHz
  mem_clock_mhz REAL,                 -- clock of the memory, MHz
  throttle      TEXT,                 -- active event (throttle) reasons, comma separated; '' = none active; NULL = not reported
  ecc_uncorrected INTEGER,            -- volatile uncorrectable errors
  ecc_corrected INTEGER,              -- volatile corrected errors
  driver        TEXT,                 -- version of the driver
  cuda          TEXT,                 -- greatest CUDA version the driver can do
  mig           INTEGER               -- 1 = MIG device or MIG enabled
) STRICT;

CREATE TABLE gpu_process(             -- processes that hold GPU memory
  id            INTEGER PRIMARY KEY,  -- number of the row; what other tables name it by
  source_id     INTEGER NOT NULL,     -- source.id
  line          INTEGER NOT NULL,     -- line of the source, from 1
  byte_offset   INTEGER NOT NULL,     -- where that line starts in the decompressed source
  gpu_index     INTEGER,              -- NULL = not said
  uuid          TEXT,                 -- NULL = not said
  pid           INTEGER,              -- process id on its host; NULL = not said
  type          TEXT,                 -- 'C', 'G', 'C+G', 'M'
  name          TEXT,                 -- command or path as printed; NULL = not said
  mem_used_mib  REAL,                 -- memory it holds, MiB; NULL = not reported
  time_raw_us   INTEGER               -- host's clock, microseconds since the epoch; NULL = no stamp
) STRICT;

CREATE TABLE allocator_dump(          -- one failed allocation with the state of its pool (algorithms.md section 6.1)
  id            INTEGER PRIMARY KEY,  -- number of the row; what other tables name it by
  source_id     INTEGER NOT NULL,     -- source.id
  stream        INTEGER,              -- stream.id
  line          INTEGER NOT NULL,     -- line of the source, from 1
  byte_offset   INTEGER NOT NULL,     -- where that line starts in the decompressed source
  allocator     TEXT,                 -- e.g. 'GPU_0_bfc'
  requested     INTEGER,              -- bytes, rounded request R
  limit_bytes   INTEGER,              -- L
  in_use        INTEGER,              -- U
  pool          INTEGER,              -- P, bytes in regions
  largest_free  INTEGER,              -- G
  op            TEXT                  -- op that asked; NULL = not said
) STRICT;
