CREATE TABLE tf_config(               -- every TF_CONFIG found, valid or not
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  source_id   INTEGER NOT NULL,       -- source.id
  stream      INTEGER,                -- stream.id when printed in a log; NULL = a file of its own
  line        INTEGER,                -- from 1
  byte_offset INTEGER,                -- where it starts in the source; NULL = not known
  form        TEXT NOT NULL,          -- 'file', 'log', 'env', 'pod', 'repr'; 'spec': the cluster alone
  owner       TEXT,                   -- task the source itself is named after, e.g. 'worker-1' from worker-1.json; NULL = no hint
  valid_json  INTEGER NOT NULL,       -- 1 = parses
  error       TEXT,                   -- why not, with position
  task_type   TEXT,                   -- claimed; NULL = missing
  task_index  INTEGER,                -- claimed; NULL = missing or not a number
  task_index_text TEXT,               -- as written when it is no plain integer
  cluster_id  INTEGER,                -- cluster_spec.id; NULL = missing
  text        TEXT NOT NULL,          -- as found, cut at 4000 bytes
  superseded  INTEGER NOT NULL DEFAULT 0 -- 1 = printed by an earlier run of a task that has a later one; set by alignment
) STRICT;

CREATE TABLE cluster_spec(            -- every distinct cluster of the TF_CONFIGs, once however many tasks print it
  id   INTEGER PRIMARY KEY,           -- number of the row; what other tables name it by
  text TEXT NOT NULL                  -- normalised: 'chief=h0:1|worker=h1:1,h2:1'
) STRICT;

CREATE TABLE cluster_address(         -- addresses of a cluster, in order
  cluster_id INTEGER NOT NULL,        -- cluster_spec.id
  task_type  TEXT NOT NULL,           -- 'worker', 'ps', 'chief', 'evaluator' or as written
  task_index INTEGER NOT NULL,        -- from 0, by its place in the list or its key
  address    TEXT NOT NULL,           -- as written
  PRIMARY KEY(cluster_id, task_type, task_index)
) STRICT, WITHOUT ROWID;

CREATE VIEW cluster_task AS           -- addresses of every TF_CONFIG's cluster: many rows in a large job, see cluster_address
  SELECT c.id AS tf_config_id, a.task_type, a.task_index, a.address
    FROM tf_config c JOIN cluster_address a ON a.cluster_id = c.cluster_id;

CREATE TABLE environment(             -- versions and variables, per source
  source_id   INTEGER NOT NULL,       -- source.id
  owner       TEXT,                   -- task the source is named after; NULL = no hint
  component   TEXT NOT NULL,          -- 'tensorflow', 'numpy', 'env:NCCL_DEBUG', 'python', 'lib:libcudnn.so.8', ...
  version     TEXT NOT NULL,          -- version or value; of a library its path or 'not found'; secrets masked
  line        INTEGER,                -- line of the source, from 1; NULL = from a document without lines
  PRIMARY KEY(source_id, component)
) STRICT, WITHOUT ROWID;
