CREATE TABLE worker(                  -- tasks of the job, known from logs, configuration or the launcher
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  name        TEXT NOT NULL,          -- 'worker-3', 'chief-0', 'ps-0'; 'rank-3'; or a file stem
  type        TEXT,                   -- task type; NULL = unknown
  task_index  INTEGER,                -- task index; NULL = unknown
  instance    INTEGER NOT NULL,       -- 0; 1.. for further processes that claim the same name
  host        TEXT,                   -- host name; NULL = unknown
  leader      INTEGER NOT NULL,       -- 1 = chief, or worker 0 without a chief
  has_log     INTEGER NOT NULL,       -- 1 = at least one stream is its own
  in_cluster  INTEGER NOT NULL,       -- 1 = named by a cluster specification or by the leader
  name_basis  TEXT NOT NULL,          -- what gave the name: 'tf_config', 'strategy', 'pod', 'rank', 'device', 'target', 'file', 'launcher', 'cluster'
  claims      TEXT,                   -- task it claims to be when that differs from its name; NULL = no difference
  last_step   INTEGER,                -- last completed step of the last attempt; NULL = none
  terminal    TEXT,                   -- last attempt: 'finished', 'traceback', 'signal', 'oom', 'exit0', 'exit', 'silent', 'absent', 'running'
  exit_code   INTEGER,                -- last attempt; NULL = nobody recorded it
  ending      TEXT,                   -- algorithms.md section 4.8: 'finished', 'excused', 'left-early', 'told-to-go', 'cleaned-up', 'crashed', 'victim', 'silent', 'cut', 'absent', 'alone', 'waiting'
  clock_offset_us INTEGER,            -- own clock minus reference; NULL = not known
  clock_error_us  INTEGER,            -- stated error of the offset
  clock_class TEXT,                   -- 'A' aligned to milliseconds, 'B' to about 0.1 s, 'C' coarsely (only step order tells cause and effect), 'D' not alignable (times as written)
  clock_rung  TEXT,                   -- what the offset rests on: 'offset' (shared steps), 'drift' (a line through them), 'piecewise' (lines between settings of the clock), 'life' (start, checkpoints, end, errors that several quote), 'declared' (bundle.json), 'host' (another task of its machine); NULL = nothing
  clock_points INTEGER NOT NULL DEFAULT 0, -- moments shared with other tasks
  clock_zone_s INTEGER,               -- part of the offset that looks like a time zone, seconds; NULL = none
  clock_low_us INTEGER,               -- no smaller offset is possible: nobody ends a step before everybody ended the one before; NULL = not bounded
  clock_high_us INTEGER,              -- no greater offset is possible
  clock_early_share REAL NOT NULL DEFAULT 0, -- share of its steps stamped before the step before was over: contradictory above 0.01
  clock_worst_worker_id INTEGER       -- worker.id whose stamps contradict them most; NULL = none
) STRICT;

CREATE TABLE clock_span(              -- a worker's clock between two moments at which it was set (algorithms.md section 2.5)
  worker_id  INTEGER NOT NULL,        -- worker.id
  n          INTEGER NOT NULL,        -- from 0, as the launcher counts; below 0: of an earlier launch, whose output the log begins with
  kind       TEXT NOT NULL,           -- how it begins: 'start', 'step' (set), 'slew' (runs at another rate), 'dst' (an hour at a full hour)
  from_us    INTEGER,                 -- own clock, first stamp of the span; NULL = from the start
  jump_us    INTEGER NOT NULL,        -- how far the clock was set forward there
  centre_us  INTEGER NOT NULL,        -- own clock, where offset_us holds
  offset_us  INTEGER NOT NULL,        -- own clock minus reference
  drift_ppm  REAL NOT NULL,           -- gain per second, millionths
  PRIMARY KEY(worker_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE worker_source(           -- which sources speak for which worker
  worker_id INTEGER NOT NULL,         -- worker.id
  source_id INTEGER NOT NULL,         -- source.id
  PRIMARY KEY(worker_id, source_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE worker_pid(              -- process ids known for a worker: main thread ids of its log headers, launcher records
  worker_id INTEGER NOT NULL,         -- worker.id
  pid       INTEGER NOT NULL,         -- process id on its host
  PRIMARY KEY(worker_id, pid)
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt(                 -- process incarnations of a worker
  worker_id  INTEGER NOT NULL,        -- worker.id
  n          INTEGER NOT NULL,        -- from 0, as the launcher counts; below 0: of an earlier launch, whose output the log begins with
  generation INTEGER NOT NULL,        -- job incarnation it belongs to
  pid        INTEGER,                 -- NULL = unknown
  basis      TEXT NOT NULL,           -- what started it: 'log', 'launcher', 'new-thread-id', 'step-reset'
  first_seq  INTEGER,                 -- byte offset in its stream where it begins; NULL = no log
  last_seq   INTEGER,                 -- byte offset of its last record
  first_step INTEGER,                 -- first marker; NULL = none
  restored_step INTEGER,              -- step it restored; NULL = nothing restored
  last_step  INTEGER,                 -- last completed step; NULL = none
  last_us    INTEGER,                 -- last stamp as written
  terminal   TEXT,                    -- as worker.terminal
  exit_code  INTEGER,                 -- NULL = nobody recorded it
  ending     TEXT,                    -- as worker.ending
  terminal_event_id INTEGER,          -- event.id that shows the end; NULL = none
  lost_steps INTEGER,                 -- steps of the run before that it had to repeat: reached less restored; NULL = unknown
  PRIMARY KEY(worker_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE step_state(              -- per generation: the frontier, and how steps are counted
  generation INTEGER PRIMARY KEY,     -- job incarnation, from 0
  frontier   INTEGER,                 -- greatest step completed by any task; NULL = nobody completed one
  common     INTEGER,                 -- greatest step completed by all training tasks that stepped; NULL = none
  granularity INTEGER,                -- largest of the last marker gaps (1 = every step is printed)
  step_us    INTEGER,                 -- median step time, microseconds; NULL = no stamps
  synchronous INTEGER NOT NULL,       -- 1 = collective training, 0 = parameter server
  unit       TEXT NOT NULL            -- unit of the markers; other than 'step': verdict steps are NULL
) STRICT;
