#include "engine/diagnose.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/case_file.h"
#include "engine/input_file.h"
#include "engine/quality_caps.h"
#include "engine/rules.h"
#include "engine/sql_functions.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

using nlohmann::json;

constexpr std::string_view kOwnTables[] = {
    "signature_rule", "rule_run",      "claim",
    "claim_evidence", "hypothesis",    "hypothesis_claim",
    "verdict",        "finding",       "finding_evidence_link",
    "evidence",       "chain",         "chain_evidence",
    "ledger",         "finding_advice"};

Value opt(const OptInt& v) {
  return v ? Value(*v) : null_value();
}
Value text_or_null(const std::string& s) {
  return s.empty() ? null_value() : Value(s);
}

std::string to_json(const std::vector<std::string>& list) {
  return json(list).dump(-1, ' ', false, json::error_handler_t::replace);
}

Status write_signatures(RowWriter& rows, const RuleSet& rules) {
  for (const Signature& s : rules.signatures) {
    TFPM_RETURN_IF_ERROR(rows.write({"signature_rule",
                                     {{"id", s.id},
                                      {"title", s.title},
                                      {"role", text_value(to_string(s.role))},
                                      {"class", text_or_null(s.failure_class)},
                                      {"cause", text_or_null(s.cause)},
                                      {"severity", s.severity},
                                      {"advice", to_json(s.advice)}}})
                             .status());
  }
  return ok_status();
}

Status write_outcome(RowWriter& rows, const Analysis& a, const RuleOutcome& outcome) {
  const Row row{
      "rule_run",
      {{"rule", a.id},
       {"title", a.title},
       {"class", text_or_null(a.failure_class)},
       {"outcome", outcome.outcome},
       {"rows", int_value(outcome.claims.size())},
       {"needs", outcome.missing.empty() ? null_value() : Value(to_json(outcome.missing))},
       {"why", text_or_null(outcome.why)}}};
  return rows.write(row).status();
}

Status write_claims(RowWriter& rows, std::vector<Claim>& claims) {
  for (Claim& c : claims) {
    const Result<std::int64_t> id = rows.write({"claim",
                                                {{"rule", c.rule},
                                                 {"kind", c.kind},
                                                 {"class", text_or_null(c.failure_class)},
                                                 {"cause", text_or_null(c.cause)},
                                                 {"worker_id", opt(c.worker)},
                                                 {"generation", opt(c.generation)},
                                                 {"step_lo", opt(c.step_lo)},
                                                 {"step_hi", opt(c.step_hi)},
                                                 {"group_key", text_or_null(c.group_key)},
                                                 {"confidence_cap", text_or_null(c.confidence_cap)},
                                                 {"weight_db", c.weight_db},
                                                 {"summary", c.summary}}});
    if (!id.ok()) return id.status();
    c.id = *id;
    std::int64_t n = 0;
    for (const std::string& ref : c.evidence) {
      TFPM_RETURN_IF_ERROR(
          rows.write({"claim_evidence", {{"claim_id", c.id}, {"n", n++}, {"ref", ref}}}).status());
    }
  }
  return ok_status();
}

Status write_hypotheses(RowWriter& rows, const CaseFile& file) {
  for (const Hypothesis& h : file.hypotheses) {
    TFPM_RETURN_IF_ERROR(rows.write({"hypothesis",
                                     {{"class", h.failure_class},
                                      {"cause", text_or_null(h.cause)},
                                      {"generation", h.generation},
                                      {"workers", to_json(worker_names(h, file.facts))},
                                      {"step_lo", opt(h.step_lo)},
                                      {"step_hi", opt(h.step_hi)},
                                      {"score_db", h.score_db},
                                      {"best_item_db", h.best_item_db},
                                      {"confidence_cap", text_or_null(h.confidence_cap)},
                                      {"role", h.role},
                                      {"why", text_or_null(h.why)}}})
                             .status());
    for (const Item& item : h.items) {
      TFPM_RETURN_IF_ERROR(rows.write({"hypothesis_claim",
                                       {{"hypothesis_id", h.id},
                                        {"claim_id", file.claims[item.claim].id},
                                        {"counted_db", item.counted_db},
                                        {"gate", text_or_null(item.gate)}}})
                               .status());
    }
  }
  return ok_status();
}

// First step that may be bad: of a loss, else of what the verdict is about.
Result<OptInt> nan_onset(Database& db, const CaseFile& file) {
  Result<OptInt> onset = db.query_int(fmt::format(
      "SELECT min(onset_step) FROM nan_onset WHERE finite_after = 0 AND generation = {}",
      file.choice.generation));
  if (!onset.ok() || onset->has_value()) return onset;
  const Hypothesis* root = file.root();
  return root != nullptr && root->failure_class == "nan" ? root->step_lo : OptInt();
}

Status run_all(Database& db, const RuleSet& rules, RowWriter& rows, CaseFile& file,
               const Finished& finished) {
  TFPM_RETURN_IF_ERROR(write_signatures(rows, rules));
  for (const Analysis& a : rules.analyses) {
    RuleOutcome outcome = run_analysis(db, a);
    tell(finished, "analysis " + a.id, outcome.work);
    TFPM_RETURN_IF_ERROR(write_outcome(rows, a, outcome));
    file.explains[a.id] = a.explains;
    for (Claim& c : outcome.claims) file.claims.push_back(std::move(c));
  }
  return write_claims(rows, file.claims);
}

Status diagnose_inside(Database& db, const RuleSet& rules, const Finished& finished) {
  for (const std::string_view table : kOwnTables) {
    TFPM_RETURN_IF_ERROR(db.execute(fmt::format("DELETE FROM {}", table)));
  }
  CaseFile file;
  Result<ClassTable> classes = load_class_table();
  if (!classes.ok()) return classes.status();
  file.classes = std::move(*classes);
  Result<JobFacts> facts = load_job_facts(db);
  if (!facts.ok()) return facts.status();
  file.facts = std::move(*facts);
  RowWriter rows(db);
  tell(finished, "facts of the job");
  TFPM_RETURN_IF_ERROR(run_all(db, rules, rows, file, finished));
  tell(finished, "claims");
  file.hypotheses = build_hypotheses(file.claims, file.facts, file.classes);
  cap_by_quality(file.claims, file.hypotheses);
  file.choice = choose_verdict(file.hypotheses, file.facts, file.classes);
  tell(finished, "hypotheses");
  const Result<OptInt> onset = nan_onset(db, file);
  if (!onset.ok()) return onset.status();
  BadFrom bad{*onset, std::nullopt};
  const Hypothesis* root = file.root();
  if (root != nullptr && root->failure_class == "replica-divergence") bad.diverged = root->step_lo;
  Result<CheckpointAdvice> checkpoint =
      advise_checkpoint(db, file.facts, file.choice.generation, bad);
  if (!checkpoint.ok()) return checkpoint.status();
  file.checkpoint = std::move(*checkpoint);
  TFPM_RETURN_IF_ERROR(write_hypotheses(rows, file));
  TFPM_RETURN_IF_ERROR(name_input_files(db, file));
  tell(finished, "checkpoints");
  Result<std::vector<Cascade>> cascades = find_cascades(db, file);
  if (!cascades.ok()) return cascades.status();
  file.cascades = std::move(*cascades);
  tell(finished, "cascades");
  EvidenceBook book(db);
  TFPM_RETURN_IF_ERROR(write_findings(db, file, book));
  tell(finished, "findings");
  TFPM_RETURN_IF_ERROR(write_ledger(db, file));
  tell(finished, "ledger");
  TFPM_RETURN_IF_ERROR(write_chain(db, file, book));
  tell(finished, "chain");
  TFPM_RETURN_IF_ERROR(book.store());
  tell(finished, "evidence");
  TFPM_RETURN_IF_ERROR(write_verdict(db, file));
  Result<Statement> meta = db.prepare("INSERT OR REPLACE INTO meta VALUES('rules_hash', ?1)");
  if (!meta.ok()) return meta.status();
  return meta->bind(1, std::string_view(rules.hash)).run();
}

}  // namespace

Status diagnose(Database& db, const RuleSet& rules, const Finished& finished) {
  TFPM_RETURN_IF_ERROR(register_sql_functions(db));
  TFPM_RETURN_IF_ERROR(db.execute("SAVEPOINT diagnosis"));
  const Status status = diagnose_inside(db, rules, finished);
  if (!status.ok()) return status;
  return db.execute("RELEASE diagnosis");
}

}  // namespace tfpm
