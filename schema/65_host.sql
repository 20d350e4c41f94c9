CREATE TABLE kernel_event(            -- kernel messages that matter
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  owner       TEXT,                   -- task or host the source is named after; NULL = no hint
  kind        TEXT NOT NULL,          -- 'oom-kill', 'oom-invoked', 'xid', 'segfault', 'hung-task', 'soft-lockup', 'io-error', 'nfs', 'link-down', 'mce', 'sxid', 'trap', 'iommu-fault'
  host        TEXT,                   -- name of the host; NULL = not said
  pid         INTEGER,                -- victim or subject; NULL = not said
  comm        TEXT,                   -- command name of the process, at most 15 bytes; NULL = not said
  constraint_ TEXT,                   -- OOM: 'memcg', 'none', 'cpuset'; NULL = not said
  cgroup      TEXT,                   -- path of the control group; NULL = not said
  pci_bus     TEXT,                   -- of the GPU, e.g. '0000:3b:00'; NULL = not about one
  xid         INTEGER,                -- Xid number of the driver (view xid_catalogue); NULL = other kind
  rss_kib     INTEGER,                -- anon-rss of an OOM victim
  limit_kib   INTEGER,                -- cgroup limit
  boot_us     INTEGER,                -- microseconds since boot; NULL = other stamp
  time_raw_us INTEGER,                -- wall clock; NULL = only boot time
  text        TEXT NOT NULL           -- the message without its stamp
) STRICT;

CREATE TABLE process_state(           -- ps-like listings
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  owner       TEXT,                   -- task the source is named after
  pid         INTEGER,                -- process id on its host; NULL = not said
  state       TEXT,                   -- as printed, e.g. 'Tsl', 'D'
  wchan       TEXT,                   -- kernel function it sleeps in; NULL = not printed
  rss_kib     INTEGER,                -- resident memory, KiB; NULL = not printed
  command     TEXT                    -- command line as printed; NULL = not printed
) STRICT;

CREATE TABLE stack(                   -- one dump of one process
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  owner       TEXT,                   -- task the source is named after
  tool        TEXT NOT NULL,          -- 'py-spy', 'faulthandler', 'gdb'
  pid         INTEGER,                -- process id on its host; NULL = not said
  failed      TEXT                    -- why the tool got no stacks, e.g. 'Failed to suspend process'; NULL = it did
) STRICT;

CREATE TABLE stack_thread(            -- one thread of a dump
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  stack_id    INTEGER NOT NULL,       -- stack.id
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  thread      TEXT,                   -- native id or name
  name        TEXT,                   -- name of the thread; NULL = not said
  state       TEXT,                   -- 'active', 'idle', ...
  is_main     INTEGER NOT NULL,       -- 1 = main thread of the process
  class       TEXT NOT NULL,          -- 'input', 'checkpoint', 'collective-wait', 'rpc-wait', 'user', 'compile', 'exit', 'idle', 'unknown' (algorithms.md section 4.5)
  frame       TEXT,                   -- frame that decided the class, e.g. 'gate (train.py:120)'
  frame_line  INTEGER,                -- its line in the source
  frames      TEXT NOT NULL           -- normalised frames, innermost first, one a line, cut at 4000 bytes
) STRICT;
