// findings.json, version 1 (docs/findings.schema.json): every key always there, in a fixed order.
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/format.h"
#include "report/json.h"

namespace tfpm::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFindingsVersion = 1;

Json of(const MaybeInt& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json of(const MaybeText& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Rounded, so that the last bits of a sum do not depend on the compiler; whole numbers as integers.
Json rounded(const std::optional<double>& value, double unit) {
  if (!value || !std::isfinite(*value)) return nullptr;
  const double whole = std::round(*value);
  const double out = std::round(*value * unit) / unit;
  if (out == whole && std::fabs(whole) < 1e15) return static_cast<std::int64_t>(whole);
  return out;
}

Json decibans(const std::optional<double>& value) {
  return rounded(value, 1e3);
}

// Microseconds as seconds with six digits; always a decimal number.
Json seconds(const MaybeInt& us) {
  if (!us) return nullptr;
  return static_cast<double>(*us) / 1e6;
}

Json of(const StepRange& step) {
  if (!step.known()) return nullptr;
  return {{"lo", of(step.lo)}, {"hi", of(step.hi)}};
}

Json ids(char letter, const std::vector<std::int64_t>& numbers) {
  Json out = Json::array();
  for (const std::int64_t n : numbers) out.push_back(letter + std::to_string(n));
  return out;
}

Json tool(const RunInfo& run) {
  return {{"version", of(run.tfpm_version)},
          {"findings_version", kFindingsVersion},
          {"rules_hash", of(run.rules_hash)}};
}

Json bundle(const RunInfo& run) {
  return {{"name", of(run.bundle_name)},
          {"members", of(run.bundle_members)},
          {"bytes", of(run.bundle_bytes)},
          {"fingerprint", of(run.bundle_fingerprint)}};
}

Json of(const Verdict& verdict) {
  return {{"status", verdict.status},
          {"class", verdict.failure_class},
          {"cause", of(verdict.cause)},
          {"workers", verdict.workers},
          {"step", of(verdict.step)},
          {"generation", of(verdict.generation)},
          {"confidence", verdict.confidence},
          {"score_db", decibans(verdict.score_db)},
          {"margin_db", decibans(verdict.margin_db)},
          {"summary", verdict.summary},
          {"collect_next", verdict.collect_next}};
}

Json of(const ChainLink& link) {
  return {{"worker", of(link.worker)},
          {"step", of(link.step)},
          {"edge", link.edge},
          {"what", link.what},
          {"evidence", ids('E', link.evidence)}};
}

Json advice_texts(const Finding& finding) {
  Json out = Json::array();
  for (const Advice& advice : finding.advice) out.push_back(advice.text);
  return out;
}

Json of(const Finding& finding) {
  const MaybeInt by = finding.explained_by;
  return {{"id", "F" + std::to_string(finding.id)},
          {"rule", finding.rule},
          {"class", finding.failure_class},
          {"cause", of(finding.cause)},
          {"severity", finding.severity},
          {"role", finding.role},
          {"workers", finding.workers},
          {"step", of(finding.step)},
          {"generation", of(finding.generation)},
          {"confidence", finding.confidence},
          {"title", finding.title},
          {"summary", finding.summary},
          {"advice", advice_texts(finding)},
          {"explained_by", by ? Json("F" + std::to_string(*by)) : Json(nullptr)},
          {"evidence", ids('E', finding.evidence)}};
}

Json of(const Evidence& item) {
  return {{"id", "E" + std::to_string(item.id)},
          {"kind", item.kind},
          {"source", of(item.source)},
          {"line", of(item.line)},
          {"byte_offset", of(item.byte_offset)},
          {"worker", of(item.worker)},
          {"step", of(item.step)},
          {"time_utc", item.time_us ? Json(format_time_utc(*item.time_us)) : Json(nullptr)},
          {"text", item.text},
          {"weight_db", decibans(item.weight_db)}};
}

Json of(const RuleGap& gap) {
  return {{"rule", gap.rule}, {"needs", gap.needs}, {"why", of(gap.why)}};
}

Json of(const CheckpointItem& item) {
  return {
      {"prefix", item.prefix},       {"step", of(item.step)}, {"completeness", item.completeness},
      {"integrity", item.integrity}, {"health", item.health}, {"problem", of(item.problem)}};
}

Json of(const Attempt& attempt) {
  return {{"n", attempt.n},
          {"last_step", of(attempt.last_step)},
          {"terminal", of(attempt.terminal)},
          {"exit_code", of(attempt.exit_code)}};
}

Json of(const Unread& unread) {
  return {{"path", unread.path}, {"why", of(unread.why)}};
}

Json of(const Problem& problem) {
  return {{"source", of(problem.source)},
          {"code", problem.code},
          {"severity", problem.severity},
          {"byte_offset", of(problem.byte_offset)},
          {"detail", problem.detail}};
}

Json of(const Task& task);

template <typename T>
Json list(const std::vector<T>& items) {
  Json out = Json::array();
  for (const T& item : items) out.push_back(of(item));
  return out;
}

Json of(const Clock& clock) {
  return {{"offset_s", seconds(clock.offset_us)},
          {"error_s", seconds(clock.error_us)},
          {"class", of(clock.quality)}};
}

Json of(const Task& task) {
  return {{"name", task.name},
          {"host", of(task.host)},
          {"sources", task.sources},
          {"instance", task.instance},
          {"last_step", of(task.last_step)},
          {"terminal", of(task.terminal)},
          {"exit_code", of(task.exit_code)},
          {"attempts", list(task.attempts)},
          {"clock", task.clock ? of(*task.clock) : Json(nullptr)}};
}

Json of(const Checkpoints& checkpoints) {
  return {{"last_good", of(checkpoints.last_good)},
          {"last_good_before_nan", of(checkpoints.last_good_before_nan)},
          {"lost_steps", of(checkpoints.lost_steps)},
          {"avoidable_lost_steps", of(checkpoints.avoidable_lost_steps)},
          {"items", list(checkpoints.items)}};
}

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string findings_json(const ReportModel& model) {
  return dumped({{"tfpm", tool(model.run)},
                 {"bundle", bundle(model.run)},
                 {"verdict", of(model.verdict)},
                 {"chain", list(model.chain)},
                 {"findings", list(model.findings)},
                 {"evidence", list(model.evidence)},
                 {"not_evaluated", list(model.not_evaluated)},
                 {"checkpoints", of(model.checkpoints)},
                 {"workers", list(model.tasks)},
                 {"unread", list(model.unread)},
                 {"problems", list(model.problems)}});
}

std::string checkpoints_json(const Checkpoints& checkpoints) {
  return dumped(of(checkpoints));
}

}  // namespace tfpm::report
