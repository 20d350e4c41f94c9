CREATE TABLE network_link(            -- state and counters of one network interface or InfiniBand port, as a tool printed them
  id          INTEGER PRIMARY KEY,
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  owner       TEXT,                   -- task or host the source is named after; NULL = no hint
  tool        TEXT NOT NULL,          -- 'ip', 'ifconfig', 'ethtool', 'ibstat', 'ibv_devinfo'
  name        TEXT NOT NULL,          -- 'eth0', 'mlx5_0/1' (port 1)
  layer       TEXT,                   -- 'ethernet', 'infiniband', 'loopback'; NULL = not said
  up          INTEGER,                -- 1 = carries traffic, 0 = no carrier, down or still training; NULL = not said
  state       TEXT,                   -- as printed, e.g. 'Active, LinkUp', 'DOWN', 'Link detected: no'
  speed_mbit  INTEGER,                -- NULL = unknown or not said
  mtu         INTEGER,                -- bytes
  rx_errors   INTEGER,
  rx_dropped  INTEGER,
  tx_errors   INTEGER,
  tx_dropped  INTEGER
) STRICT;

CREATE TABLE network_counter(         -- error counters that are not zero (ethtool -S, perfquery, netstat -s, nstat)
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  owner       TEXT,                   -- task or host the source is named after
  tool        TEXT NOT NULL,          -- 'ethtool', 'perfquery', 'netstat', 'nstat'
  name        TEXT,                   -- interface or port; NULL = the whole host, or not said
  counter     TEXT NOT NULL,          -- as printed, e.g. 'rx_discards_phy', 'segments retransmitted'
  value       INTEGER NOT NULL
) STRICT;

CREATE TABLE network_connection(      -- one socket (ss, netstat)
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  owner       TEXT,                   -- task or host the source is named after
  state       TEXT NOT NULL,          -- as printed: 'ESTAB', 'ESTABLISHED', 'LISTEN', 'SYN-SENT', ...
  recv_queue  INTEGER,                -- bytes the program has not read
  send_queue  INTEGER,                -- bytes the peer has not acknowledged: large towards one peer = slow or stuck peer
  local       TEXT,                   -- address:port
  peer        TEXT,                   -- address:port
  pid         INTEGER,
  process     TEXT,
  retrans     INTEGER,                -- segments sent again since the connection began; NULL = not said
  rto_ms      REAL                    -- retransmission time-out; grows while nothing comes back
) STRICT;

CREATE TABLE network_flow(            -- traffic between two hosts (iftop -t)
  source_id   INTEGER NOT NULL,       -- source.id
  line        INTEGER NOT NULL,
  byte_offset INTEGER NOT NULL,
  owner       TEXT,                   -- task or host the source is named after
  host        TEXT NOT NULL,
  peer        TEXT NOT NULL,
  tx_mbit     REAL,                   -- average of the last 40 s, or what the tool printed last before the sum
  rx_mbit     REAL
) STRICT;
