CREATE TABLE allocator_bin(           -- chunks of an allocator report by bin
  dump_id       INTEGER NOT NULL,     -- allocator_dump.id
  bin_bytes     INTEGER NOT NULL,     -- smallest chunk of the bin
  chunks        INTEGER,              -- all chunks of the bin; NULL = not printed
  chunks_in_use INTEGER,              -- of these, in use; NULL = not printed
  allocated     INTEGER,              -- bytes, rounded as printed
  in_use        INTEGER,              -- bytes, rounded as printed
  requested     INTEGER               -- bytes the program asked for in chunks that are in use, rounded as printed
) STRICT;

CREATE TABLE allocator_size(          -- chunks in use by size: the 64 sizes that hold most
  dump_id       INTEGER NOT NULL,     -- allocator_dump.id
  chunk_bytes   INTEGER NOT NULL,     -- size of one chunk
  chunks        INTEGER NOT NULL,     -- chunks of that size
  bytes         INTEGER NOT NULL      -- chunk_bytes times chunks
) STRICT;

CREATE TABLE allocator_op(            -- ops that hold most memory, where the build prints them
  dump_id       INTEGER NOT NULL,     -- allocator_dump.id
  op            TEXT NOT NULL,        -- name as printed
  chunks        INTEGER NOT NULL,     -- chunks it holds
  bytes         INTEGER NOT NULL      -- bytes in them
) STRICT;
