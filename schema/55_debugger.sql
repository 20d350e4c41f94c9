CREATE TABLE debug_bad_tensor(        -- outputs with NaN or Inf that TensorFlow's debugger recorded, the first of each file
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  byte_offset INTEGER NOT NULL,       -- of the record
  owner       TEXT,                   -- task the file or its folder is named after; NULL = no hint
  kind        TEXT NOT NULL,          -- 'trace' (op inside a graph), 'execution' (eager op or whole function)
  n           INTEGER NOT NULL,       -- order among the bad outputs of the file, from 0
  record      INTEGER NOT NULL,       -- which record of the file, from 0
  op          TEXT NOT NULL,          -- op name (trace) or op type (execution)
  slot        INTEGER,                -- output slot
  device      TEXT,                   -- that computed it; NULL = not recorded
  mode        INTEGER NOT NULL,       -- TensorDebugMode
  nan         INTEGER,                -- NaN values; NULL = the mode does not count
  inf         INTEGER,                -- infinite values; NULL = the mode does not count
  wall_us     INTEGER,                -- writer's clock, microseconds since the epoch
  graph       TEXT,                   -- id of the graph it ran in; NULL = eager
  frame       TEXT                    -- debug_frame.frame of the innermost line that made an eager op or function; NULL = by its debug_op
) STRICT;

CREATE TABLE debug_source(            -- source files that the debugger copied, in the order frames count them
  source_id INTEGER NOT NULL,         -- source.id
  n         INTEGER NOT NULL,         -- from 0
  path      TEXT,                     -- on the host of the process
  PRIMARY KEY(source_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE debug_frame(             -- stack frames of a dump, the first 20,000 of a file
  source_id INTEGER NOT NULL,         -- source.id
  n         INTEGER NOT NULL,         -- order in the file
  frame     TEXT NOT NULL,            -- its id
  file      INTEGER NOT NULL,         -- debug_source.n in the same set of files
  line      INTEGER NOT NULL,         -- line of that file, from 1
  function  TEXT,                     -- NULL = not recorded
  code      TEXT,                     -- the line of source; NULL = not stored
  PRIMARY KEY(source_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE debug_op(                -- ops of the graphs of a dump, the first 20,000 of a file
  source_id INTEGER NOT NULL,         -- source.id
  n         INTEGER NOT NULL,         -- order in the file
  graph     TEXT,                     -- id of its graph
  op        TEXT NOT NULL,            -- its name
  type      TEXT,                     -- e.g. 'MatMul'; NULL = not recorded
  frame     TEXT,                     -- debug_frame.frame of the innermost line that made it
  PRIMARY KEY(source_id, n)
) STRICT, WITHOUT ROWID;

CREATE VIEW debug_place AS            -- bad outputs with the type of their op and the line of source that made it
  WITH files AS (                     -- files of one dump are named alike but for the last part
    SELECT id AS source_id, rtrim(path, replace(path, '.', '')) AS dump FROM source WHERE path LIKE '%tfdbg\_events.%' ESCAPE '\')
  SELECT b.id AS bad_id, o.type AS op_type, f.function, f.line, f.code, c.path
    FROM debug_bad_tensor b JOIN files s ON s.source_id = b.source_id
         LEFT JOIN debug_op o ON o.graph = b.graph AND o.op = b.op AND b.kind = 'trace'
              AND o.source_id IN (SELECT x.source_id FROM files x WHERE x.dump = s.dump)
         LEFT JOIN debug_frame f ON f.frame = coalesce(b.frame, o.frame)
              AND f.source_id IN (SELECT x.source_id FROM files x WHERE x.dump = s.dump)
         LEFT JOIN debug_source c ON c.n = f.file
              AND c.source_id IN (SELECT x.source_id FROM files x WHERE x.dump = s.dump);
