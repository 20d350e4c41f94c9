CREATE TABLE async_worker(            -- asynchronous training: what one task pushed (algorithms.md section 1.7)
  generation INTEGER NOT NULL,        -- job incarnation, from 0
  worker_id  INTEGER NOT NULL,        -- worker.id
  pushes     INTEGER NOT NULL,        -- global steps it printed
  share      REAL,                    -- of all updates while its log ran; 1 / number of tasks = an equal share; NULL = not every push is printed
  staleness  REAL,                    -- median number of the others' updates between two of its own
  stale_share REAL,                   -- of its pushes that were more than 4 (tasks - 1) updates old
  PRIMARY KEY(generation, worker_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE async_change(            -- where the number of tasks that push changed, as the others' global steps tell
  generation   INTEGER PRIMARY KEY,   -- job incarnation, from 0
  step_lo      INTEGER NOT NULL,      -- global step
  step_hi      INTEGER NOT NULL,      -- global step, closed
  tasks_before REAL NOT NULL,         -- mean advance of the global step between two pushes of one task
  tasks_after  REAL NOT NULL,         -- the same after the change
  witnesses    INTEGER NOT NULL       -- tasks whose log shows it
) STRICT;
