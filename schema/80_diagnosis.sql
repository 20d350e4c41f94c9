CREATE TABLE signature_rule(          -- the signatures that were loaded
  id       TEXT PRIMARY KEY,
  title    TEXT NOT NULL,
  role     TEXT NOT NULL,
  class    TEXT,
  cause    TEXT,
  severity TEXT NOT NULL,
  advice   TEXT NOT NULL              -- JSON array
) STRICT, WITHOUT ROWID;

CREATE TABLE rule_run(                -- every analysis and what came of it
  rule    TEXT PRIMARY KEY,
  title   TEXT NOT NULL,
  class   TEXT,
  outcome TEXT NOT NULL,              -- 'fired', 'clear', 'not-evaluated', 'failed'
  rows    INTEGER NOT NULL,           -- claims made
  needs   TEXT,                       -- JSON array: evidence that is missing; NULL = all there
  why     TEXT                        -- sentence; NULL = nothing to say
) STRICT, WITHOUT ROWID;

CREATE TABLE claim(                   -- one row an analysis returned: evidence with a weight
  id          INTEGER PRIMARY KEY,
  rule        TEXT NOT NULL,          -- rule_run.rule
  kind        TEXT NOT NULL,          -- evidence kind: one vote per kind and worker
  class       TEXT,                   -- hypothesis class; NULL = supports any hypothesis about its worker
  cause       TEXT,
  worker_id   INTEGER,                -- NULL = names nobody
  generation  INTEGER,
  step_lo     INTEGER,
  step_hi     INTEGER,
  group_key   TEXT,                   -- rows with one key are one hypothesis with several workers
  confidence_cap TEXT,                -- 'hypothesis', 'supported'; NULL = no cap
  weight_db   REAL NOT NULL,          -- decibans before gates and caps
  summary     TEXT NOT NULL
) STRICT;

CREATE TABLE claim_evidence(          -- places a claim cites
  claim_id    INTEGER NOT NULL,       -- claim.id
  n           INTEGER NOT NULL,       -- order
  ref         TEXT NOT NULL,          -- 'event:12', 'exit:3', 'kernel:1', 'thread:4', 'tf_config:2', 'tensor:ckpt/ckpt-40#w1', ...
  PRIMARY KEY(claim_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE hypothesis(              -- what may have happened, with its score
  id          INTEGER PRIMARY KEY,
  class       TEXT NOT NULL,
  cause       TEXT,
  generation  INTEGER,
  workers     TEXT NOT NULL,          -- JSON array of names
  step_lo     INTEGER,
  step_hi     INTEGER,
  score_db    REAL NOT NULL,
  best_item_db REAL NOT NULL,         -- greatest single positive item
  confidence_cap TEXT,
  role        TEXT NOT NULL,          -- 'root', 'contributing', 'independent', 'cascade', 'benign', 'rejected'
  why         TEXT                    -- why it was replaced or rejected; NULL = it stands
) STRICT;

CREATE TABLE hypothesis_claim(
  hypothesis_id INTEGER NOT NULL,     -- hypothesis.id
  claim_id      INTEGER NOT NULL,     -- claim.id
  counted_db    REAL NOT NULL,        -- what entered the sum
  gate          TEXT,                 -- what changed it: 'G5', 'cap', 'one vote per kind'; NULL = nothing
  PRIMARY KEY(hypothesis_id, claim_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdict(                 -- one row
  status      TEXT NOT NULL,          -- 'explained', 'undetermined', 'healthy'
  class       TEXT NOT NULL,
  cause       TEXT,
  workers     TEXT NOT NULL,          -- JSON array of names
  step_lo     INTEGER,
  step_hi     INTEGER,
  generation  INTEGER,
  confidence  TEXT NOT NULL,          -- 'established', 'supported', 'hypothesis'
  score_db    REAL,
  margin_db   REAL,
  rival       TEXT,                   -- next hypothesis, 'class worker'; NULL = none
  summary     TEXT NOT NULL,
  collect_next TEXT NOT NULL          -- JSON array
) STRICT;

CREATE TABLE finding(
  id          INTEGER PRIMARY KEY,    -- shown as F1, F2, ...
  rule        TEXT NOT NULL,
  class       TEXT NOT NULL,
  cause       TEXT,
  severity    TEXT NOT NULL,          -- 'critical', 'error', 'warning', 'info', 'data-quality'
  role        TEXT NOT NULL,          -- 'root', 'contributing', 'cascade', 'independent', 'benign'
  workers     TEXT NOT NULL,          -- JSON array of names
  step_lo     INTEGER,
  step_hi     INTEGER,
  generation  INTEGER,
  confidence  TEXT NOT NULL,
  title       TEXT NOT NULL,
  summary     TEXT NOT NULL,
  advice      TEXT NOT NULL,          -- JSON array
  explained_by INTEGER                -- finding.id; NULL = stands by itself
) STRICT;

CREATE TABLE evidence(
  id          INTEGER PRIMARY KEY,    -- shown as E1, E2, ...
  kind        TEXT NOT NULL,          -- 'cause', 'symptom', 'context', 'absence', 'counter'
  source_id   INTEGER,                -- source.id; NULL = an absence
  line        INTEGER,
  byte_offset INTEGER,
  worker_id   INTEGER,
  step_lo     INTEGER,
  step_hi     INTEGER,
  time_us     INTEGER,                -- on the common clock where aligned, else as written
  text        TEXT NOT NULL,          -- the raw line, cut at 2000 bytes
  weight_db   REAL
) STRICT;

CREATE TABLE finding_evidence_link(
  finding_id  INTEGER NOT NULL,       -- finding.id
  n           INTEGER NOT NULL,
  evidence_id INTEGER NOT NULL,       -- evidence.id
  PRIMARY KEY(finding_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE chain(                   -- how the root became everybody else's errors
  n           INTEGER PRIMARY KEY,    -- order, from 1
  worker_id   INTEGER,
  step_lo     INTEGER,
  step_hi     INTEGER,
  edge        TEXT NOT NULL,          -- 'program-order', 'collective', 'process', 'checkpoint', 'abort-text', 'rpc', 'coordinator', 'time', 'explains'
  what        TEXT NOT NULL
) STRICT;

CREATE TABLE chain_evidence(
  chain_n     INTEGER NOT NULL,       -- chain.n
  n           INTEGER NOT NULL,
  evidence_id INTEGER NOT NULL,       -- evidence.id
  PRIMARY KEY(chain_n, n)
) STRICT, WITHOUT ROWID;
