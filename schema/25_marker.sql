CREATE TABLE marker_template(         -- line forms that were recognised as step markers (algorithms.md section 1.9)
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  stream      INTEGER NOT NULL,       -- stream.id
  template    TEXT NOT NULL,          -- the line with its numbers masked
  step_slot   TEXT,                   -- name of the slot that counts
  loss_slot   TEXT,                   -- name of the slot taken as loss; NULL = none
  score       REAL NOT NULL,          -- points of section 1.9
  unit        TEXT NOT NULL,          -- 'step', 'samples', 'tokens', 'percent', 'epoch'
  edge        TEXT NOT NULL,          -- 'begin', 'end', 'unknown': does the line stand before or after the update
  period      INTEGER,                -- steps per epoch when the slot resets; NULL = does not reset or unknown
  loss_mode   TEXT,                   -- 'reduced' (equal on all tasks), 'local', 'unknown'; NULL = no loss
  loss_sure   INTEGER NOT NULL DEFAULT 0, -- 1 = a loss word names the slot
  chosen      INTEGER NOT NULL,       -- 1 = its series is in step_marker
  records     INTEGER NOT NULL,       -- lines of this form
  example_line INTEGER NOT NULL,      -- line number of one
  example     TEXT NOT NULL           -- its text
) STRICT;

CREATE TABLE step_marker(             -- one row per kept step marker: all of the last 2,000, thinned before
  stream      INTEGER NOT NULL,       -- stream.id
  seq         INTEGER NOT NULL,       -- byte offset of the record: order inside the stream
  line        INTEGER NOT NULL,       -- line number
  step        INTEGER NOT NULL,       -- global step as printed (epochs unrolled); for other units the unit's own value
  attempt     INTEGER,                -- set by alignment
  generation  INTEGER,                -- set by alignment
  superseded  INTEGER NOT NULL DEFAULT 0, -- 1 = a later attempt repeats this step
  time_raw_us INTEGER,                -- stamp as written; NULL = none
  loss        REAL,                   -- NULL = not printed or not finite (see loss_state)
  loss_state  TEXT,                   -- 'finite', 'nan', 'inf', '-inf'; NULL = no loss in this record
  step_time_us INTEGER,               -- own step time as printed; NULL = not printed
  epoch       INTEGER,                -- as printed; NULL = none
  batch_loss  REAL,                   -- loss of this batch alone where `loss` is the mean since the epoch's start (Keras bars); error up to 1e-4 x batch; NULL = not such a mean
  PRIMARY KEY(stream, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE metric(                  -- scalars by step of event files
  source_id INTEGER NOT NULL,         -- source.id
  tag       TEXT NOT NULL,            -- e.g. 'loss', 'epoch_loss', 'grad_norm'
  seq       INTEGER NOT NULL,         -- order in the source (byte offset)
  step      INTEGER NOT NULL,         -- as the writer counts, from the file
  value     REAL,                     -- NULL = not finite (see state)
  state     TEXT NOT NULL,            -- 'finite', 'nan', 'inf', '-inf'
  wall_us   INTEGER,                  -- writer's clock, microseconds since the epoch
  superseded INTEGER NOT NULL DEFAULT 0, -- 1 = a later run of the same task repeats this step
  PRIMARY KEY(source_id, tag, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE marker_value(            -- other named numbers of step markers (learning rate, gradient norm ...), where they change
  stream INTEGER NOT NULL,            -- stream.id
  name   TEXT NOT NULL,               -- as printed, e.g. 'lr'
  seq    INTEGER NOT NULL,            -- step_marker.seq
  value  REAL,                        -- NULL = not finite (see state)
  state  TEXT NOT NULL,               -- 'finite', 'nan', 'inf', '-inf'
  PRIMARY KEY(stream, name, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE marker_time(             -- parts of a step's time that its own line prints beside the step time: waits
  stream INTEGER NOT NULL,            -- stream.id
  name   TEXT NOT NULL,               -- as printed, e.g. 'data_wait_ms'
  seq    INTEGER NOT NULL,            -- step_marker.seq
  part   TEXT NOT NULL,               -- what the name says it is spent on: 'input', 'communication'; 'whole': the step that has such parts
  us     INTEGER NOT NULL,            -- microseconds
  PRIMARY KEY(stream, name, seq)
) STRICT, WITHOUT ROWID;
