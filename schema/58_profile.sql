-- Profiler output (formats.md section 6): one row of `profile` a file; its source_id joins the other tables. Times of events are
-- shares of the file's own window; clocks of different hosts differ by milliseconds.
CREATE TABLE profile(                 -- one file of profiler output
  id            INTEGER PRIMARY KEY,  -- number of the row; what other tables name it by
  source_id     INTEGER NOT NULL,     -- source.id
  kind          TEXT NOT NULL,        -- 'xplane', 'trace', 'overview', 'input-pipeline', 'kernel-stats', 'tensorflow-stats', 'memory-profile', 'run-metadata'
  owner         TEXT,                 -- task the file is named after; NULL = the name holds none
  host          TEXT,                 -- host that was profiled, as the file or its name says
  start_us      INTEGER,              -- profile_start_time, microseconds since the epoch, that host's clock; NULL = not said
  window_us     INTEGER,              -- length of what was recorded; NULL = not known
  device        TEXT,                 -- 'GPU', 'TPU', 'CPU' = kind of device that did the work; NULL = not known
  planes        INTEGER,              -- XSpace planes; NULL = other kind of file
  lines         INTEGER,              -- their lines (threads, streams)
  events        INTEGER,              -- events read
  unusable      INTEGER,              -- events with impossible times or beyond the limits of this program
  resolution_us REAL,                 -- spans closer than this were joined to bound memory; 0 = none were
  note          TEXT                  -- what the file itself reports: collector errors and warnings, a tool's recommendation; NULL = nothing
) STRICT;

CREATE TABLE profile_plane(           -- one device or the host in an XSpace
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  name        TEXT NOT NULL,          -- '/host:CPU', '/device:GPU:0'
  kind        TEXT NOT NULL,          -- 'host', 'device', 'other'
  model       TEXT,                   -- device model as the plane says; NULL = not said
  lines       INTEGER NOT NULL,       -- its lines: threads or streams
  events      INTEGER NOT NULL,       -- events read on them
  busy_us     INTEGER,                -- device: time with a kernel running; NULL = host, or no timed event
  first_us    INTEGER,                -- first event, from the start of the profile; NULL = no timed event
  last_us     INTEGER                 -- end of the last
) STRICT;

CREATE TABLE profile_step(            -- where the time of one step of one task went
  id            INTEGER PRIMARY KEY,  -- number of the row; what other tables name it by
  source_id     INTEGER NOT NULL,     -- source.id
  n             INTEGER NOT NULL,     -- order in the file, from 0
  step          INTEGER,              -- number the program gave it: equal numbers are the same step on all tasks; NULL = not numbered
  basis         TEXT NOT NULL,        -- what marks it: 'step_num', 'device-steps', 'module', 'tool'
  plane         TEXT,                 -- device plane that marks it; NULL = the host marks it
  begin_us      INTEGER,              -- from the start of the profile; NULL = a tool's table
  duration_us   INTEGER NOT NULL,     -- of the step's own span
  period_us     INTEGER NOT NULL,     -- to the begin of the next step: the time the other columns divide; of the last step its duration
  compute_us    INTEGER,              -- ops or kernels of the model; over several devices the mean. These seven are NULL where spans were joined over more than 1 % of the step
  copy_us       INTEGER,              -- copies between host and device, not overlapped by compute
  input_us      INTEGER,              -- waiting for the next batch, not overlapped by compute or copies
  collective_us INTEGER,              -- collectives, not overlapped by any of the above
  launch_us     INTEGER,              -- the host handing work to devices, not overlapped by the above
  other_us      INTEGER,              -- none of these
  collective_all_us INTEGER           -- collectives whether overlapped or not: transfer plus waiting for peers
) STRICT;

CREATE TABLE profile_op(              -- the longest-running names of each plane
  id        INTEGER PRIMARY KEY,      -- number of the row; what other tables name it by
  source_id INTEGER NOT NULL,         -- source.id
  plane     TEXT NOT NULL,            -- or 'Host', 'Device' in a tool's table
  name      TEXT NOT NULL,            -- as the profiler names it
  type      TEXT,                     -- op type; NULL = the name has none
  class     TEXT NOT NULL,            -- 'compute', 'collective', 'copy', 'input-wait', 'producer', 'launch', 'memory', 'other'
  count     INTEGER NOT NULL,         -- how often it ran
  total_us  INTEGER NOT NULL,         -- all runs together
  self_us   INTEGER,                  -- without what is nested in it; NULL = not known
  max_us    INTEGER                   -- longest single one; NULL = not known
) STRICT;

CREATE TABLE profile_iterator(        -- stages of tf.data pipelines
  id        INTEGER PRIMARY KEY,      -- number of the row; what other tables name it by
  source_id INTEGER NOT NULL,         -- source.id
  name      TEXT NOT NULL,            -- 'Iterator::Root::Prefetch::Map': outermost first, the last one runs
  count     INTEGER NOT NULL,         -- how often it was asked for an element
  total_us  INTEGER NOT NULL,         -- all of these together, stages inside it included
  self_us   INTEGER NOT NULL,         -- without the stages inside it
  max_us    INTEGER NOT NULL          -- longest single one
) STRICT;

CREATE TABLE profile_producer(        -- threads that make batches ahead of the consumer
  id        INTEGER PRIMARY KEY,      -- number of the row; what other tables name it by
  source_id INTEGER NOT NULL,         -- source.id
  thread    TEXT NOT NULL,            -- name of the line
  busy_us   INTEGER NOT NULL,         -- time inside an iterator, prefetch or map stage
  busy      REAL NOT NULL             -- the same as a share of the host's recorded time: near 1 = it cannot go faster
) STRICT;

CREATE TABLE profile_memory(          -- memory events of one allocator
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  allocator   TEXT NOT NULL,          -- 'GPU_0_bfc', 'gpu_host_bfc', 'cpu'
  events      INTEGER NOT NULL,       -- allocations and deallocations seen
  capacity    INTEGER,                -- bytes: in use, reserved and available together; NULL = not said
  peak_bytes  INTEGER,                -- most in use while it was recorded
  lifetime_peak_bytes INTEGER,        -- most in use since the process began
  last_bytes  INTEGER,                -- in use at the end
  fragmentation REAL,                 -- at the end: (free - largest free) / free; NULL = nothing free, or not said
  live        INTEGER,                -- allocations of the window not freed in it; NULL = events were left out
  live_bytes  INTEGER                 -- bytes of these
) STRICT;

CREATE TABLE profile_open(            -- events of a trace that began and did not end: what a thread was doing when the process stopped
  id        INTEGER PRIMARY KEY,      -- number of the row; what other tables name it by
  source_id INTEGER NOT NULL,         -- source.id
  plane     TEXT NOT NULL,            -- process
  thread    TEXT NOT NULL,            -- name of the thread
  name      TEXT NOT NULL,            -- innermost open event
  begin_us  INTEGER NOT NULL          -- from the first event
) STRICT;
