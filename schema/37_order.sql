CREATE TABLE logical_order(           -- events and exit records in one order that keeps to every known cause (algorithms.md section 3.3)
  kind        TEXT NOT NULL,          -- 'event' or 'exit'
  id          INTEGER NOT NULL,       -- event.id or exit_record.id
  worker_id   INTEGER,                -- worker.id it is about; NULL = nobody's
  rank        INTEGER NOT NULL,       -- position in that order, from 0; events of one record share it
  generation  INTEGER NOT NULL,       -- job incarnation it is sorted under; -1 = before any
  step        INTEGER NOT NULL,       -- step it is sorted under; -1 = before the first
  phase       INTEGER NOT NULL,       -- 0 init, 1 restore, 2 step, 4 callback, 5 unknown, 6 shutdown, 7 exit records; step markers stand at 3
  cell        INTEGER NOT NULL,       -- rows of one cell on different tasks are concurrent: nothing known orders them
  enter_next  INTEGER,                -- first collective its task certainly entered afterwards (step number); NULL = none recorded
  exits       INTEGER,                -- last collective its task had certainly left; NULL = none
  PRIMARY KEY(kind, id)
) STRICT, WITHOUT ROWID;
-- Between tasks of one synchronous generation, a happened before b by the collectives alone exactly when b.exits >= a.enter_next.

CREATE TABLE order_edge(              -- known causes between records; the order inside one stream is not repeated here (section 3.1)
  from_kind   TEXT NOT NULL,          -- 'event' or 'exit'
  from_id     INTEGER NOT NULL,       -- event.id (the record's first) or exit_record.id
  to_kind     TEXT NOT NULL,          -- 'event' or 'exit'
  to_id       INTEGER NOT NULL,       -- event.id (the record's first) or exit_record.id
  edge        TEXT NOT NULL,          -- 'process', 'checkpoint', 'abort-text', 'rpc', 'coordinator', 'aligned-time'
  class       TEXT NOT NULL,          -- 'E1' hard, 'E2' firm, 'E3' soft: only the clocks say so (beyond both stated errors); orders nothing in logical_order
  removed     INTEGER NOT NULL,       -- 1 = contradicts stronger ones, see order_conflict
  PRIMARY KEY(from_kind, from_id, to_kind, to_id, edge)
) STRICT, WITHOUT ROWID;

CREATE TABLE order_conflict(          -- causes that would make something happen before itself, and were dropped for it (section 3.4)
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  event_id    INTEGER,                -- event.id of the record that names or follows; NULL = an exit record
  worker_id   INTEGER,                -- worker.id that wrote it
  peer_worker_id INTEGER,             -- worker.id at the other end
  generation  INTEGER NOT NULL,       -- job incarnation, from 0
  edge        TEXT NOT NULL,          -- as order_edge.edge, or 'collective'
  records     INTEGER NOT NULL        -- how many records are entangled
) STRICT;
