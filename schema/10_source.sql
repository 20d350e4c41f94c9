CREATE TABLE source(                  -- every member of the bundle, in path order
  id          INTEGER PRIMARY KEY,    -- 1.. in path order
  path        TEXT NOT NULL,          -- relative to the bundle; 'a.tar.gz/b.log' for a member of a nested archive
  parent_id   INTEGER,                -- source.id of the archive that holds it; NULL = directly in the bundle
  parser      TEXT,                   -- parser that read it; NULL = nobody could
  runner_up   TEXT,                   -- next best parser of the sniff contest; NULL = none
  bytes       INTEGER,                -- size after decompression; NULL = not known
  lines       INTEGER,                -- lines of text; NULL = binary
  fingerprint TEXT,                   -- 'xxh3-128:<32 hex>' of the decompressed bytes; NULL = not read to the end
  status      TEXT NOT NULL,          -- 'read', 'partial' (damaged on the way), 'unread', 'container'
  reason      TEXT                    -- why it is partial or unread, for a person; NULL = read
) STRICT;

CREATE TABLE problem(                 -- everything that is wrong with the evidence itself
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER,                -- source.id; NULL = the bundle as a whole
  code        TEXT NOT NULL,          -- stable id, e.g. 'tfevents-truncated-tail'
  severity    TEXT NOT NULL,          -- 'info', 'notice', 'data-loss', 'error'
  byte_offset INTEGER,                -- where in the decompressed member; NULL = the member as a whole
  detail      TEXT NOT NULL           -- a sentence that helps
) STRICT;

CREATE TABLE block_index(             -- one row per 64 KiB of a text source: finds any line again
  source_id   INTEGER NOT NULL,       -- source.id
  byte_offset INTEGER NOT NULL,       -- offset of the first record that starts in the block
  line        INTEGER NOT NULL,       -- its line number, from 1
  time_raw_us INTEGER,                -- last time stamp seen before it, microseconds since the epoch as written; NULL = none yet
  PRIMARY KEY(source_id, byte_offset)
) STRICT, WITHOUT ROWID;

CREATE TABLE context_line(            -- raw lines kept around stored events, so that evidence can be shown without the bundle
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- from 1
  byte_offset INTEGER NOT NULL,       -- where the line starts
  text        TEXT NOT NULL,          -- the line, cut at 2000 bytes, invalid UTF-8 replaced
  PRIMARY KEY(source_id, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE minute_count(            -- records per minute and severity of a text source: where it was busy, where it was silent
  source_id INTEGER NOT NULL,         -- source.id
  minute    INTEGER NOT NULL,         -- minutes since the epoch, the source's own clock; -1 = before the first stamp
  severity  TEXT NOT NULL,            -- 'fatal', 'error', 'warning', 'info', 'none'
  count     INTEGER NOT NULL,         -- records of that minute
  PRIMARY KEY(source_id, minute, severity)
) STRICT, WITHOUT ROWID;
