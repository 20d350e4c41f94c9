CREATE TABLE ledger(                  -- who played which part in the generation that the verdict is about
  worker_id   INTEGER PRIMARY KEY,    -- worker.id
  role        TEXT NOT NULL,          -- 'culprit', 'suspect' (culprit of a hypothesis), 'own failure', 'victim', 'bystander', 'fine', 'unclear'
  finding_id  INTEGER,                -- finding.id that made it so; NULL = no finding says more
  edge        TEXT,                   -- of a victim: how it was reached, as chain.edge; NULL = nothing says
  via_worker_id INTEGER               -- of a victim: worker.id its own error names; NULL = the culprit itself, or nobody
) STRICT;

CREATE TABLE finding_advice(          -- finding.advice one by one, by what it is for
  finding_id  INTEGER NOT NULL,       -- finding.id
  n           INTEGER NOT NULL,       -- order in finding.advice, from 0
  part        TEXT NOT NULL,          -- 'now' (tonight), 'check' (would confirm or refute it), 'prevent' (so that it does not return, or is seen sooner)
  text        TEXT NOT NULL,          -- an imperative sentence
  PRIMARY KEY(finding_id, n)
) STRICT, WITHOUT ROWID;
