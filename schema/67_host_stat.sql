CREATE TABLE host_stat(               -- one number of a host's state, as free, df, /proc/meminfo, vmstat, uptime or top printed it
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  owner       TEXT,                   -- task or host the source is named after; NULL = no hint
  tool        TEXT NOT NULL,          -- 'free', 'df', 'meminfo', 'vmstat', 'uptime', 'top'
  subject     TEXT NOT NULL,          -- 'Mem', 'Swap', the mount point of df, 'host' for the rest
  name        TEXT NOT NULL,          -- the column or key, e.g. 'total', 'used', 'use%', 'MemAvailable', 'wa', 'load1'
  value       REAL NOT NULL,          -- in `unit`
  unit        TEXT                    -- 'KiB', '%', NULL = a plain number
) STRICT;

CREATE VIEW full_filesystem AS        -- mount points that df shows as full, or out of inodes
  SELECT source_id, line, byte_offset, owner, subject AS mount, name, value AS percent
    FROM host_stat WHERE tool = 'df' AND name IN ('use%', 'iuse%') AND value >= 99;
