CREATE TABLE accusation(              -- who names whom (algorithms.md section 4.4), one row per statement after folding copies
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  kind        TEXT NOT NULL,          -- 'transport-witness', 'no-answer', 'heartbeat-list', 'health-check', 'barrier-missing', 'stall-missing', 'connect-wait', 'incarnation', 'leader-rpc'
  generation  INTEGER NOT NULL,       -- job incarnation, from 0
  by_worker_id INTEGER,               -- worker.id; NULL = the leader's statement copied by several
  accused_worker_id INTEGER NOT NULL, -- worker.id
  event_id    INTEGER NOT NULL,       -- event.id of the first copy
  void        TEXT                    -- why it weighs nothing, e.g. 'retracted', 'victim', 'overruled'; NULL = it weighs
) STRICT;

CREATE TABLE nan_onset(               -- where a loss stopped being finite, per task (algorithms.md section 5)
  worker_id    INTEGER NOT NULL,      -- worker.id
  generation   INTEGER NOT NULL,      -- job incarnation, from 0
  ref          TEXT NOT NULL,         -- evidence reference of the first non-finite value: 'marker:..', 'metric:..'
  step         INTEGER NOT NULL,      -- its step
  last_finite  INTEGER,               -- last step before it with a finite value; NULL = none printed
  state        TEXT NOT NULL,         -- 'nan', 'inf', '-inf'
  finite_after INTEGER NOT NULL,      -- 1 = a later loss of the same attempt is finite again
  mode         TEXT NOT NULL,         -- 'local', 'reduced', 'unknown': what the printed loss is
  explodes     INTEGER NOT NULL,      -- 1 = the loss ran away before (section 5.3)
  onset_step   INTEGER NOT NULL,      -- first step of the runaway when it explodes, else step
  sure         INTEGER NOT NULL,      -- 1 = a loss word names the value
  PRIMARY KEY(worker_id, generation)
) STRICT, WITHOUT ROWID;

CREATE TABLE nan_sign(                -- what points to the cause of non-finite values (algorithms.md section 5.3)
  worker_id  INTEGER NOT NULL,        -- worker.id
  generation INTEGER NOT NULL,        -- job incarnation, from 0
  n          INTEGER NOT NULL,        -- order
  kind       TEXT NOT NULL,           -- 'rate-rise', 'warm-up', 'gradient-runaway', 'gradient-bad', 'scale-collapse', 'scale-skip', 'finite-validation', 'impossible-fraction'
  step       INTEGER NOT NULL,        -- of the value it stands on
  ref        TEXT NOT NULL,           -- evidence reference of that value
  text       TEXT NOT NULL,           -- a clause for people
  PRIMARY KEY(worker_id, generation, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE loss_span(               -- from where to where a task's losses are known
  worker_id   INTEGER NOT NULL,       -- worker.id
  generation  INTEGER NOT NULL,       -- job incarnation, from 0
  basis       TEXT NOT NULL,          -- 'log' (printed), 'event-file'
  first_step  INTEGER NOT NULL,       -- least step with a loss
  last_step   INTEGER NOT NULL,       -- greatest step with a loss
  last_finite INTEGER,                -- greatest step with a finite value; NULL = none
  PRIMARY KEY(worker_id, generation)
) STRICT, WITHOUT ROWID;

CREATE TABLE straggler_cost(          -- own step time against the peers' (algorithms.md section 7.1)
  worker_id    INTEGER NOT NULL,      -- worker.id
  generation   INTEGER NOT NULL,      -- job incarnation, from 0
  cost         REAL NOT NULL,         -- share of run time the others lose by waiting for it
  next_cost    REAL NOT NULL,         -- the same for the next worst task
  share        REAL NOT NULL,         -- share of steps in which it counts
  steps        INTEGER NOT NULL,      -- steps compared
  own_us       INTEGER NOT NULL,      -- its median own step time
  peer_us      INTEGER NOT NULL,      -- the peers' median
  PRIMARY KEY(worker_id, generation)
) STRICT, WITHOUT ROWID;

CREATE TABLE handed_on(               -- records whose status came from elsewhere: wrapped, derived, or about a lost connection
  stream      INTEGER NOT NULL,       -- stream.id
  record_line INTEGER NOT NULL,       -- first line of the record
  PRIMARY KEY(stream, record_line)
) STRICT, WITHOUT ROWID;

CREATE TABLE odd_line_event(          -- last lines of a task that no peer wrote (algorithms.md section 4.4)
  event_id INTEGER PRIMARY KEY        -- event.id
) STRICT;
