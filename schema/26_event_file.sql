CREATE TABLE event_file(              -- TensorBoard event files: who wrote what, when (formats.md section 4)
  source_id    INTEGER PRIMARY KEY,   -- source.id
  worker_id    INTEGER,               -- worker.id of its writer, set by alignment; NULL = unknown
  generation   INTEGER,               -- job incarnation that wrote it, set by alignment; NULL = unknown
  owner        TEXT,                  -- task its path or host name names; NULL = no hint
  host         TEXT,                  -- of its name; NULL = not said
  pid          INTEGER,               -- of its name; NULL = not said
  started_us   INTEGER,               -- of its name, microseconds since the epoch; NULL = not said
  version      TEXT,                  -- file_version of its first record; NULL = there was none
  records      INTEGER NOT NULL,      -- intact records
  scalars      INTEGER NOT NULL,      -- scalar values in all, thinned or not
  first_us     INTEGER,               -- wall time of the first record, microseconds since the epoch
  last_us      INTEGER,               -- latest wall time: until then the writer was alive
  last_step    INTEGER,               -- greatest step of any value; NULL = no values
  graphs       INTEGER NOT NULL,      -- graph and meta graph definitions
  run_metadata INTEGER NOT NULL,      -- tagged run metadata
  other_values INTEGER NOT NULL       -- values that are no scalar, histogram or text: images, audio, tensors
) STRICT;

CREATE TABLE metric_histogram(        -- histograms of event files, the last of each tag and those that turn non-finite
  source_id INTEGER NOT NULL,         -- source.id
  tag       TEXT NOT NULL,            -- usually the variable or gradient
  seq       INTEGER NOT NULL,         -- order in the source (byte offset)
  step      INTEGER NOT NULL,         -- as the writer counts, from the file
  min       REAL,                     -- NULL = not finite
  max       REAL,                     -- NULL = not finite
  count     REAL,                     -- values; NULL = not finite
  sum       REAL,                     -- NULL = not stored or not finite
  finite    INTEGER NOT NULL,         -- 1 = all its numbers are
  wall_us   INTEGER,                  -- writer's clock, microseconds since the epoch
  PRIMARY KEY(source_id, tag, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE event_note(              -- texts of event files: log messages, session starts and stops, text summaries
  source_id INTEGER NOT NULL,         -- source.id
  seq       INTEGER NOT NULL,         -- order in the source (byte offset)
  kind      TEXT NOT NULL,            -- 'log', 'session', 'text', 'run-metadata'
  name      TEXT,                     -- log: level; session: 'start', 'stop', 'checkpoint'; else the tag
  step      INTEGER,                  -- as the writer counts; NULL = none
  text      TEXT,                     -- message, checkpoint path, or text; cut at 1000 bytes
  wall_us   INTEGER,                  -- writer's clock, microseconds since the epoch
  PRIMARY KEY(source_id, seq)
) STRICT, WITHOUT ROWID;
