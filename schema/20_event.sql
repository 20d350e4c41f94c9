CREATE TABLE stream(                  -- the lines one writer wrote into one source: a whole log, or one tag of a mixed log
  id           INTEGER PRIMARY KEY,   -- number of the row; what other tables name it by
  source_id    INTEGER NOT NULL,      -- source.id
  tag          TEXT,                  -- what the envelope says, e.g. '2' (srun), 'mnist-worker-0' (pod), '[1,3]'; NULL = no tag
  tag_kind     TEXT NOT NULL,         -- 'none', 'srun', 'kubectl', 'cri', 'mpi', 'compose', 'stern', 'runner', 'ray', 'json', 'platform'
  channel      TEXT,                  -- 'stdout', 'stderr' where an envelope tells; NULL = unknown
  worker_id    INTEGER,               -- worker.id, set by alignment; NULL = nobody known
  records      INTEGER NOT NULL,      -- records seen
  first_line   INTEGER,               -- line of the first record
  last_line    INTEGER,               -- line of the last record
  first_us     INTEGER,               -- first time stamp as written, microseconds since the epoch; NULL = no stamps
  last_us      INTEGER,               -- last time stamp as written
  time_basis   TEXT,                  -- clock of the stamps most records carry: 'local', 'utc', 'epoch', 'time-only'; NULL = none
  ends_torn    INTEGER NOT NULL DEFAULT 0, -- 1 = the last line has no line end
  buffered     TEXT                   -- why its steps are taken to have been written in blocks, late: 'torn-block' (ends inside a line at a multiple of 4,096 bytes), 'bursts' (many arrive together, then silence), 'overtaken' (other lines carry later stamps than the steps behind them); NULL = they are not
) STRICT;

CREATE TABLE log_copy(                -- logs that repeat another one; what was read of them is left out
  source_id    INTEGER PRIMARY KEY,   -- source.id of the copy
  of_source_id INTEGER NOT NULL       -- source.id of the log that stayed
) STRICT;

CREATE TABLE event(                   -- records worth keeping: signature hits, tracebacks, crashes, unexplained errors
  id            INTEGER PRIMARY KEY,  -- number of the row; what other tables name it by
  source_id     INTEGER NOT NULL,     -- source.id
  byte_offset   INTEGER NOT NULL,     -- where the cited line starts in the source
  line          INTEGER NOT NULL,     -- its number, from 1
  stream        INTEGER,              -- stream.id; NULL = a source without streams (kernel log, launcher)
  worker_id     INTEGER,              -- worker.id that wrote it, set by alignment; NULL = unknown
  attempt       INTEGER,              -- process incarnation of that worker (attempt.n), set by alignment
  generation    INTEGER,              -- job incarnation, from 0, set by alignment
  seq           INTEGER NOT NULL,     -- order inside the stream (byte offset of the record)
  step_lo       INTEGER,              -- logical step interval, set by alignment; NULL = unknown
  step_hi       INTEGER,              -- closed; NULL = open
  step_quality  INTEGER,              -- 5 same line, 4 record field, 3 between markers, 2 after the last, 1 by time, 0 before the first
  phase         TEXT,                 -- 'init', 'restore', 'step', 'callback', 'shutdown', 'unknown'
  time_raw_us   INTEGER,              -- stamp as written, microseconds since the epoch; NULL = none
  time_ref_us   INTEGER,              -- on the common clock, set by alignment; NULL = not alignable
  time_err_us   INTEGER,              -- its stated error; NULL = unknown
  time_basis    TEXT,                 -- 'own' stamp of the record, 'before' = last stamp before it in the stream (lower bound); NULL = none
  severity      TEXT NOT NULL,        -- as logged: 'fatal', 'error', 'warning', 'info', 'none'
  kind          TEXT NOT NULL,        -- 'signature', 'traceback', 'crash', 'error' (severe, no signature), 'tail' (last lines of a stream)
  signature_id  TEXT,                 -- signature that hit; NULL for other kinds
  role          TEXT,                 -- role of the signature: 'root', 'cascade', 'progress', 'lifecycle', 'benign', 'accusation'; NULL = unknown
  peer_worker_id INTEGER,             -- worker.id of the task the text names, set by alignment; NULL = names nobody
  instance_key  TEXT,                 -- join key: collective instance, barrier id, checkpoint prefix; NULL = none
  outcome       TEXT,                 -- set by alignment: 'terminal', 'recovered', 'progressed_after', 'unresolved'
  count         INTEGER NOT NULL DEFAULT 1, -- how many equal records this row stands for
  record_line   INTEGER NOT NULL,     -- first line of the multi-line record the cited line belongs to
  text          TEXT NOT NULL         -- the record's message (header and envelope removed), cut at 4000 bytes
) STRICT;

CREATE TABLE event_capture(           -- named values of an event
  event_id INTEGER NOT NULL,          -- event.id
  name     TEXT NOT NULL,             -- capture name, e.g. 'peer', 'step'; for tracebacks: 'exception', 'message', 'file', 'line', 'function', 'inner_status'
  value    TEXT NOT NULL,             -- as written
  PRIMARY KEY(event_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE signature_count(         -- exact number of hits, capped or not
  source_id    INTEGER NOT NULL,      -- source.id
  stream       INTEGER NOT NULL,      -- stream.id
  signature_id TEXT NOT NULL,         -- signature_rule.id
  count        INTEGER NOT NULL,      -- records it hit
  PRIMARY KEY(source_id, stream, signature_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE claim_identity(          -- what a stream says about who wrote it
  id        INTEGER PRIMARY KEY,      -- number of the row; what other tables name it by
  source_id INTEGER NOT NULL,         -- source.id
  stream    INTEGER NOT NULL,         -- stream.id
  kind      TEXT NOT NULL,            -- 'tf_config', 'strategy' (task_type/task_id line), 'device' (own device name), 'pod', 'rank', 'pid', 'host', 'target', 'file'
  value     TEXT NOT NULL,            -- 'worker-1' for task kinds, the pod, rank, pid, host or address otherwise
  line      INTEGER,                  -- where it says so; NULL = from the path
  byte_offset INTEGER                 -- of that line; NULL = from the path
) STRICT;
