CREATE TABLE allocator_bin(           -- chunks of an allocator report by bin
  dump_id       INTEGER NOT NULL,     -- allocator_dump.id
  bin_bytes     INTEGER NOT NULL,     -- smallest chunk of the bin
  chunks        INTEGER,
  chunks_in_use INTEGER,
  allocated     INTEGER,              -- bytes, rounded as printed
  in_use        INTEGER,              -- bytes, rounded as printed
  requested     INTEGER               -- bytes the program asked for in chunks that are in use, rounded as printed
) STRICT;

CREATE TABLE allocator_size(          -- chunks in use by size: the 64 sizes that hold most
  dump_id       INTEGER NOT NULL,     -- allocator_dump.id
  chunk_bytes   INTEGER NOT NULL,
  chunks        INTEGER NOT NULL,
  bytes         INTEGER NOT NULL      -- chunk_bytes times chunks
) STRICT;

CREATE TABLE allocator_op(            -- ops that hold most memory, where the build prints them
  dump_id       INTEGER NOT NULL,     -- allocator_dump.id
  op            TEXT NOT NULL,
  chunks        INTEGER NOT NULL,
  bytes         INTEGER NOT NULL
) STRICT;
