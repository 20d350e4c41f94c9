#include "report/load.h"

#include <charconv>

#include "report/query.h"

namespace tfpm::report {
namespace {

MaybeInt int_of(const MaybeText& text) {
  if (!text) return std::nullopt;
  std::int64_t value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, code] = std::from_chars(text->data(), end, value);
  if (code != std::errc() || stop != end) return std::nullopt;
  return value;
}

// nullopt when the key is absent; `status` keeps the first error.
MaybeText meta(Database& db, std::string_view key, Status& status) {
  MaybeText value;
  if (!status.ok()) return value;
  Result<Statement> row = db.prepare("SELECT value FROM meta WHERE key = ?1");
  if (!row.ok()) {
    status = row.status();
    return value;
  }
  row->bind(1, key);
  const Result<bool> there = row->step();
  status = there.status();
  if (there.ok() && *there) value = maybe_text(*row, 0);
  return value;
}

}  // namespace

Status load_run(Database& db, ReportModel& model) {
  Status status;
  RunInfo& run = model.run;
  run.tfpm_version = meta(db, "tfpm_version", status);
  run.rules_hash = meta(db, "rules_hash", status);
  run.bundle_name = meta(db, "bundle_name", status);
  run.bundle_fingerprint = meta(db, "bundle_fingerprint", status);
  run.bundle_members = int_of(meta(db, "bundle_members", status));
  run.bundle_bytes = int_of(meta(db, "bundle_bytes", status));
  Checkpoints& ckpt = model.checkpoints;
  ckpt.last_good = meta(db, "checkpoint_last_good", status);
  ckpt.last_good_before_nan = meta(db, "checkpoint_last_good_before_nan", status);
  ckpt.lost_steps = int_of(meta(db, "checkpoint_lost_steps", status));
  ckpt.avoidable_lost_steps = int_of(meta(db, "checkpoint_avoidable_lost_steps", status));
  return status;
}

Status load_verdict(Database& db, ReportModel& model) {
  bool found = false;
  TFPM_RETURN_IF_ERROR(for_each_row(
      db,
      "SELECT status, class, cause, workers, step_lo, step_hi, generation, confidence, score_db,"
      " margin_db, rival, summary, collect_next FROM verdict ORDER BY rowid DESC",
      [&](const Statement& row) {
        found = true;
        model.verdict = {.status = clean_text(row, 0),
                         .failure_class = clean_text(row, 1),
                         .cause = maybe_text(row, 2),
                         .workers = text_list(row, 3),
                         .step = step_range(row, 4),
                         .generation = row.maybe_int(6),
                         .confidence = clean_text(row, 7),
                         .score_db = row.maybe_double(8),
                         .margin_db = row.maybe_double(9),
                         .rival = maybe_text(row, 10),
                         .summary = clean_text(row, 11),
                         .collect_next = text_list(row, 12)};
      }));
  if (found) return ok_status();
  return error(ErrorKind::kUsage, "the database holds no verdict", "", "no rules were run on it",
               "run `tfpm diagnose` on the database first");
}

Result<ReportModel> load_model(Database& db) {
  ReportModel model;
  TFPM_RETURN_IF_ERROR(load_run(db, model));
  TFPM_RETURN_IF_ERROR(load_verdict(db, model));
  TFPM_RETURN_IF_ERROR(load_findings(db, model));
  TFPM_RETURN_IF_ERROR(load_reasoning(db, model));
  TFPM_RETURN_IF_ERROR(load_tasks(db, model));
  TFPM_RETURN_IF_ERROR(load_last_words(db, model));
  TFPM_RETURN_IF_ERROR(load_checkpoints(db, model));
  TFPM_RETURN_IF_ERROR(load_gaps(db, model));
  TFPM_RETURN_IF_ERROR(load_progress(db, model));
  TFPM_RETURN_IF_ERROR(load_differences(db, model));
  return model;
}

}  // namespace tfpm::report
