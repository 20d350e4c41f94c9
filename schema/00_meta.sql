CREATE TABLE meta(                    -- facts about this analysis, one a row
  key   TEXT PRIMARY KEY,             -- e.g. 'tfpm_version', 'rules_hash', 'bundle_name', 'bundle_fingerprint', 'bundle_bytes'
  value TEXT NOT NULL                 -- as text
) STRICT, WITHOUT ROWID;
