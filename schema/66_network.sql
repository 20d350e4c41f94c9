CREATE TABLE network_link(            -- state and counters of one network interface or InfiniBand port, as a tool printed them
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  owner       TEXT,                   -- task or host the source is named after; NULL = no hint
  tool        TEXT NOT NULL,          -- 'ip', 'ifconfig', 'ethtool', 'ibstat', 'ibv_devinfo'
  name        TEXT NOT NULL,          -- 'eth0', 'mlx5_0/1' (port 1)
  layer       TEXT,                   -- 'ethernet', 'infiniband', 'loopback'; NULL = not said
  up          INTEGER,                -- 1 = carries traffic, 0 = no carrier, down or still training; NULL = not said
  state       TEXT,                   -- as printed, e.g. 'Active, LinkUp', 'DOWN', 'Link detected: no'
  speed_mbit  INTEGER,                -- NULL = unknown or not said
  mtu         INTEGER,                -- bytes
  rx_errors   INTEGER,                -- received with errors, since the counters began; NULL = not printed
  rx_dropped  INTEGER,                -- received and dropped
  tx_errors   INTEGER,                -- not sent for errors
  tx_dropped  INTEGER                 -- dropped instead of sent
) STRICT;

CREATE TABLE network_counter(         -- error counters that are not zero (ethtool -S, perfquery, netstat -s, nstat)
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  owner       TEXT,                   -- task or host the source is named after
  tool        TEXT NOT NULL,          -- 'ethtool', 'perfquery', 'netstat', 'nstat'
  name        TEXT,                   -- interface or port; NULL = the whole host, or not said
  counter     TEXT NOT NULL,          -- as printed, e.g. 'rx_discards_phy', 'segments retransmitted'
  value       INTEGER NOT NULL        -- since the counters began
) STRICT;

CREATE TABLE network_connection(      -- one socket (ss, netstat)
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  owner       TEXT,                   -- task or host the source is named after
  state       TEXT NOT NULL,          -- as printed: 'ESTAB', 'ESTABLISHED', 'LISTEN', 'SYN-SENT', ...
  recv_queue  INTEGER,                -- bytes the program has not read
  send_queue  INTEGER,                -- bytes the peer has not acknowledged: large towards one peer = slow or stuck peer
  local       TEXT,                   -- address:port
  peer        TEXT,                   -- address:port
  pid         INTEGER,                -- process id on its host; NULL = not said
  process     TEXT,                   -- name of the program; NULL = not said
  retrans     INTEGER,                -- segments sent again since the connection began; NULL = not said
  rto_ms      REAL                    -- retransmission time-out; grows while nothing comes back
) STRICT;

CREATE TABLE network_flow(            -- traffic between two hosts (iftop -t)
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,       -- line of the source, from 1
  byte_offset INTEGER NOT NULL,       -- where that line starts in the decompressed source
  owner       TEXT,                   -- task or host the source is named after
  host        TEXT NOT NULL,          -- this end, as printed
  peer        TEXT NOT NULL,          -- other end, as printed
  tx_mbit     REAL,                   -- average of the last 40 s, or what the tool printed last before the sum
  rx_mbit     REAL                    -- the same for what came from the peer
) STRICT;
