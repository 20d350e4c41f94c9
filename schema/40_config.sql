CREATE TABLE tf_config(               -- every TF_CONFIG found, valid or not
  id          INTEGER PRIMARY KEY,
  source_id   INTEGER NOT NULL,       -- source.id
  stream      INTEGER,                -- stream.id when printed in a log; NULL = a file of its own
  line        INTEGER,                -- from 1
  byte_offset INTEGER,
  form        TEXT NOT NULL,          -- 'file', 'log', 'env', 'pod', 'repr'; 'spec': the cluster alone
  owner       TEXT,                   -- task the source itself is named after, e.g. 'worker-1' from worker-1.json; NULL = no hint
  valid_json  INTEGER NOT NULL,       -- 1 = parses
  error       TEXT,                   -- why not, with position
  task_type   TEXT,                   -- claimed; NULL = missing
  task_index  INTEGER,                -- claimed; NULL = missing or not a number
  task_index_text TEXT,               -- as written when it is no plain integer
  cluster     TEXT,                   -- normalised cluster: 'chief=h0:1|worker=h1:1,h2:1'; NULL = missing
  text        TEXT NOT NULL           -- as found, cut at 4000 bytes
) STRICT;

CREATE TABLE cluster_task(            -- addresses of a TF_CONFIG's cluster, in order
  tf_config_id INTEGER NOT NULL,      -- tf_config.id
  task_type    TEXT NOT NULL,
  task_index   INTEGER NOT NULL,
  address      TEXT NOT NULL,         -- as written
  PRIMARY KEY(tf_config_id, task_type, task_index)
) STRICT, WITHOUT ROWID;

CREATE TABLE environment(             -- versions and variables, per source
  source_id   INTEGER NOT NULL,       -- source.id
  owner       TEXT,                   -- task the source is named after; NULL = no hint
  component   TEXT NOT NULL,          -- 'tensorflow', 'numpy', 'env:NCCL_DEBUG', 'python', ...
  version     TEXT NOT NULL,          -- version or value; secrets masked
  line        INTEGER,
  PRIMARY KEY(source_id, component)
) STRICT, WITHOUT ROWID;
