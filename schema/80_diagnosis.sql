CREATE TABLE signature_rule(          -- the signatures that were loaded
  id       TEXT PRIMARY KEY,          -- id of its file in rules/signatures
  title    TEXT NOT NULL,             -- a clause for people
  role     TEXT NOT NULL,             -- 'root', 'cascade', 'progress', 'lifecycle', 'benign', 'accusation'
  class    TEXT,                      -- failure class; NULL = none
  cause    TEXT,                      -- refines the class; NULL = not known
  severity TEXT NOT NULL,             -- 'critical', 'error', 'warning', 'info'
  advice   TEXT NOT NULL              -- JSON array
) STRICT, WITHOUT ROWID;

CREATE TABLE rule_run(                -- every analysis and what came of it
  rule    TEXT PRIMARY KEY,           -- id of the analysis
  title   TEXT NOT NULL,              -- a clause for people
  class   TEXT,                       -- failure class it is about; NULL = several
  outcome TEXT NOT NULL,              -- 'fired', 'clear', 'not-evaluated', 'failed'
  rows    INTEGER NOT NULL,           -- claims made
  needs   TEXT,                       -- JSON array: evidence that is missing; NULL = all there
  why     TEXT                        -- sentence; NULL = nothing to say
) STRICT, WITHOUT ROWID;

CREATE TABLE claim(                   -- one row an analysis returned: evidence with a weight
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  rule        TEXT NOT NULL,          -- rule_run.rule
  kind        TEXT NOT NULL,          -- evidence kind: one vote per kind and worker
  class       TEXT,                   -- hypothesis class; NULL = supports any hypothesis about its worker
  cause       TEXT,                   -- refines the class; NULL = not known
  worker_id   INTEGER,                -- NULL = names nobody
  generation  INTEGER,                -- job incarnation, from 0; NULL = of none in particular
  step_lo     INTEGER,                -- logical step interval; NULL = unknown or open below
  step_hi     INTEGER,                -- closed; NULL = unknown or open above
  group_key   TEXT,                   -- rows with one key are one hypothesis with several workers
  confidence_cap TEXT,                -- 'hypothesis', 'supported'; NULL = no cap
  weight_db   REAL NOT NULL,          -- decibans before gates and caps
  summary     TEXT NOT NULL           -- sentences for people
) STRICT;

CREATE TABLE claim_evidence(          -- places a claim cites
  claim_id    INTEGER NOT NULL,       -- claim.id
  n           INTEGER NOT NULL,       -- order
  ref         TEXT NOT NULL,          -- 'event:12', 'exit:3', 'kernel:1', 'thread:4', 'tf_config:2', 'tensor:ckpt/ckpt-40#w1', ...
  PRIMARY KEY(claim_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE hypothesis(              -- what may have happened, with its score
  id          INTEGER PRIMARY KEY,    -- number of the row; what other tables name it by
  class       TEXT NOT NULL,          -- failure class
  cause       TEXT,                   -- refines the class; NULL = not known
  generation  INTEGER,                -- job incarnation, from 0; NULL = of none in particular
  workers     TEXT NOT NULL,          -- JSON array of names
  step_lo     INTEGER,                -- logical step interval; NULL = unknown or open below
  step_hi     INTEGER,                -- closed; NULL = unknown or open above
  score_db    REAL NOT NULL,          -- decibans: sum of what its claims counted, capped
  best_item_db REAL NOT NULL,         -- greatest single positive item
  confidence_cap TEXT,                -- 'hypothesis', 'supported': no more than that, whatever the score; NULL = no cap
  role        TEXT NOT NULL,          -- 'root', 'contributing', 'independent', 'cascade', 'benign', 'rejected'
  why         TEXT                    -- why it was replaced or rejected; NULL = it stands
) STRICT;

CREATE TABLE hypothesis_claim(        -- which claims a hypothesis stands on, and what each counted
  hypothesis_id INTEGER NOT NULL,     -- hypothesis.id
  claim_id      INTEGER NOT NULL,     -- claim.id
  counted_db    REAL NOT NULL,        -- what entered the sum
  gate          TEXT,                 -- what changed it: 'G5', 'cap', 'one vote per kind'; NULL = nothing
  PRIMARY KEY(hypothesis_id, claim_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE verdict(                 -- one row
  status      TEXT NOT NULL,          -- 'explained', 'undetermined', 'healthy'
  class       TEXT NOT NULL,          -- failure class, 'none' or 'undetermined'
  cause       TEXT,                   -- refines the class; NULL = not known
  workers     TEXT NOT NULL,          -- JSON array of names
  step_lo     INTEGER,                -- logical step interval; NULL = unknown or open below
  step_hi     INTEGER,                -- closed; NULL = unknown or open above
  generation  INTEGER,                -- job incarnation it is about, from 0; NULL = none
  confidence  TEXT NOT NULL,          -- 'established', 'supported', 'hypothesis'
  score_db    REAL,                   -- decibans of its hypothesis; NULL = none
  margin_db   REAL,                   -- decibans ahead of the next hypothesis; NULL = no hypothesis
  rival       TEXT,                   -- next hypothesis, 'class worker'; NULL = none
  summary     TEXT NOT NULL,          -- sentences for people
  collect_next TEXT NOT NULL          -- JSON array
) STRICT;

CREATE TABLE finding(                 -- what was found: the verdict's root and everything beside it
  id          INTEGER PRIMARY KEY,    -- shown as F1, F2, ...
  rule        TEXT NOT NULL,          -- analysis or signature whose claim weighs most
  class       TEXT NOT NULL,          -- failure class, 'data-quality' or 'note'
  cause       TEXT,                   -- refines the class; NULL = not known
  severity    TEXT NOT NULL,          -- 'critical', 'error', 'warning', 'info', 'data-quality'
  role        TEXT NOT NULL,          -- 'root', 'contributing', 'cascade', 'independent', 'benign'
  workers     TEXT NOT NULL,          -- JSON array of names
  step_lo     INTEGER,                -- logical step interval; NULL = unknown or open below
  step_hi     INTEGER,                -- closed; NULL = unknown or open above
  generation  INTEGER,                -- job incarnation, from 0; NULL = of none in particular
  confidence  TEXT NOT NULL,          -- 'established', 'supported', 'hypothesis'
  title       TEXT NOT NULL,          -- a clause for people
  summary     TEXT NOT NULL,          -- sentences for people
  advice      TEXT NOT NULL,          -- JSON array
  explained_by INTEGER                -- finding.id; NULL = stands by itself
) STRICT;

CREATE TABLE evidence(                -- places that findings and chain cite
  id          INTEGER PRIMARY KEY,    -- shown as E1, E2, ...
  kind        TEXT NOT NULL,          -- 'cause', 'symptom', 'context', 'absence', 'counter'
  source_id   INTEGER,                -- source.id; NULL = an absence
  line        INTEGER,                -- line of the source, from 1; NULL = a record or byte without lines
  byte_offset INTEGER,                -- where it starts in the decompressed source; NULL = the source as a whole
  worker_id   INTEGER,                -- worker.id it is about; NULL = nobody known
  step_lo     INTEGER,                -- logical step interval; NULL = unknown or open below
  step_hi     INTEGER,                -- closed; NULL = unknown or open above
  time_us     INTEGER,                -- on the common clock where aligned, else as written
  text        TEXT NOT NULL,          -- the raw line, cut at 2000 bytes
  weight_db   REAL                    -- decibans of the claim that cites it first; NULL = carries no weight of its own
) STRICT;

CREATE TABLE finding_evidence_link(   -- which evidence a finding cites
  finding_id  INTEGER NOT NULL,       -- finding.id
  n           INTEGER NOT NULL,       -- order in which the finding cites it
  evidence_id INTEGER NOT NULL,       -- evidence.id
  PRIMARY KEY(finding_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE chain(                   -- how the root became everybody else's errors
  n           INTEGER PRIMARY KEY,    -- order, from 1
  worker_id   INTEGER,                -- worker.id of the task it happened on; NULL = several, or none
  step_lo     INTEGER,                -- logical step interval; NULL = unknown or open below
  step_hi     INTEGER,                -- closed; NULL = unknown or open above
  edge        TEXT NOT NULL,          -- 'program-order', 'collective', 'process', 'checkpoint', 'abort-text', 'rpc', 'coordinator', 'time', 'explains'
  what        TEXT NOT NULL           -- a clause for people
) STRICT;

CREATE TABLE chain_evidence(          -- which evidence a link of the chain cites
  chain_n     INTEGER NOT NULL,       -- chain.n
  n           INTEGER NOT NULL,       -- order in which the link cites it
  evidence_id INTEGER NOT NULL,       -- evidence.id
  PRIMARY KEY(chain_n, n)
) STRICT, WITHOUT ROWID;
