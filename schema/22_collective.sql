CREATE TABLE collective_member(       -- a rank entering a communicator, as NCCL logs it (NCCL_DEBUG=INFO)
  source_id   INTEGER NOT NULL,       -- source.id
  stream      INTEGER,                -- stream.id that wrote the line
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  comm        TEXT,                   -- handle inside the process, e.g. '0x5581a0': joins collective_call of the same stream
  comm_id     TEXT,                   -- id all ranks share (from NCCL 2.18 on); NULL = older
  rank        INTEGER NOT NULL,       -- in the communicator, from 0
  nranks      INTEGER NOT NULL,       -- size of the communicator
  device      INTEGER,                -- cudaDev
  phase       TEXT NOT NULL           -- 'start', 'complete'
) STRICT;

CREATE TABLE collective_call(         -- the last collective a process entered on each communicator (NCCL_DEBUG_SUBSYS=COLL)
  source_id   INTEGER NOT NULL,       -- source.id
  stream      INTEGER,                -- stream.id that wrote the line
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  comm        TEXT NOT NULL,          -- as in collective_member
  op_count    INTEGER NOT NULL,       -- calls before this one; the rank with the lowest is behind
  op          TEXT NOT NULL,          -- e.g. 'AllReduce'
  elements    INTEGER,                -- per rank; ranks of one call that differ do not match
  datatype    INTEGER,                -- NCCL's number of the type
  nranks      INTEGER                 -- size of the communicator; NULL = not said
) STRICT;

CREATE TABLE collective_wait(         -- who keeps a collective or barrier waiting: Horovod's stall reports in all dialects, barriers of TensorFlow
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  stream      INTEGER,                -- stream.id that wrote the line
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  dialect     TEXT NOT NULL,          -- 'horovod-missing-list', 'horovod-stalled-list', 'horovod-missing-inline', 'horovod-ready-inline', 'barrier'
  name        TEXT,                   -- first tensor, or the barrier's id; NULL = not said
  missing     TEXT,                   -- JSON array of ranks or task names that did not come; NULL = not said
  ready       TEXT,                   -- JSON array of ranks that came; NULL = not said
  reached     INTEGER,                -- tasks that came to the barrier; NULL = not said
  expected    INTEGER                 -- tasks of the barrier
) STRICT;

CREATE VIEW collective_missing_rank AS  -- ranks that never finished entering a communicator others entered
  WITH RECURSIVE comm(comm_id, nranks) AS (
         SELECT comm_id, max(nranks) FROM collective_member WHERE comm_id IS NOT NULL AND nranks <= 100000 GROUP BY comm_id),
       member(comm_id, nranks, rank) AS (
         SELECT comm_id, nranks, 0 FROM comm
         UNION ALL SELECT comm_id, nranks, rank + 1 FROM member WHERE rank + 1 < nranks)
  SELECT m.comm_id, m.rank, m.nranks,
         EXISTS (SELECT 1 FROM collective_member s WHERE s.comm_id = m.comm_id AND s.rank = m.rank) AS started
    FROM member m
   WHERE NOT EXISTS (SELECT 1 FROM collective_member c
                      WHERE c.comm_id = m.comm_id AND c.rank = m.rank AND c.phase = 'complete');
