CREATE TABLE kernel_event(            -- kernel messages that matter
  id          INTEGER PRIMARY KEY,
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  owner       TEXT,                   -- task or host the source is named after; NULL = no hint
  kind        TEXT NOT NULL,          -- 'oom-kill', 'oom-invoked', 'xid', 'segfault', 'hung-task', 'soft-lockup', 'io-error', 'nfs', 'link-down', 'mce', 'sxid', 'trap', 'iommu-fault'
  host        TEXT,
  pid         INTEGER,                -- victim or subject; NULL = not said
  comm        TEXT,
  constraint_ TEXT,                   -- OOM: 'memcg', 'none', 'cpuset'; NULL = not said
  cgroup      TEXT,
  pci_bus     TEXT,
  xid         INTEGER,
  rss_kib     INTEGER,                -- anon-rss of an OOM victim
  limit_kib   INTEGER,                -- cgroup limit
  boot_us     INTEGER,                -- microseconds since boot; NULL = other stamp
  time_raw_us INTEGER,                -- wall clock; NULL = only boot time
  text        TEXT NOT NULL
) STRICT;

CREATE TABLE process_state(           -- ps-like listings
  id          INTEGER PRIMARY KEY,
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  owner       TEXT,                   -- task the source is named after
  pid         INTEGER,
  state       TEXT,                   -- as printed, e.g. 'Tsl', 'D'
  wchan       TEXT,
  rss_kib     INTEGER,
  command     TEXT
) STRICT;

CREATE TABLE stack(                   -- one dump of one process
  id          INTEGER PRIMARY KEY,
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  owner       TEXT,                   -- task the source is named after
  tool        TEXT NOT NULL,          -- 'py-spy', 'faulthandler', 'gdb'
  pid         INTEGER,
  failed      TEXT                    -- why the tool got no stacks, e.g. 'Failed to suspend process'; NULL = it did
) STRICT;

CREATE TABLE stack_thread(            -- one thread of a dump
  id          INTEGER PRIMARY KEY,
  stack_id    INTEGER NOT NULL,       -- stack.id
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  thread      TEXT,                   -- native id or name
  name        TEXT,
  state       TEXT,                   -- 'active', 'idle', ...
  is_main     INTEGER NOT NULL,
  class       TEXT NOT NULL,          -- 'input', 'checkpoint', 'collective-wait', 'rpc-wait', 'user', 'compile', 'exit', 'idle', 'unknown' (algorithms.md section 4.5)
  frame       TEXT,                   -- frame that decided the class, e.g. 'gate (train.py:120)'
  frame_line  INTEGER,                -- its line in the source
  frames      TEXT NOT NULL           -- normalised frames, innermost first, one a line, cut at 4000 bytes
) STRICT;
