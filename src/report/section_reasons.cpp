// Why the verdict, why nothing else, and what could not be judged.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "report/format.h"
#include "report/phrases.h"
#include "report/sections.h"

namespace tfpm::report {
namespace {

constexpr std::size_t kMaxClaims = 8;
constexpr std::size_t kMaxRivals = 8;

void append(Inline& to, const Inline& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// The verdict's own hypothesis: the root of its class; while undecided the best one of its class,
// whatever became of it. The list is in that order.
const Hypothesis* own_hypothesis(const ReportModel& model) {
  const auto own = std::find_if(
      model.hypotheses.begin(), model.hypotheses.end(),
      [&](const Hypothesis& h) { return h.failure_class == model.verdict.failure_class; });
  return own == model.hypotheses.end() ? nullptr : &*own;
}

Inline claim_item(const Claim& claim) {
  Inline out = {strong(claim.counted_db >= 0 ? "For: " : "Against: ")};
  append(out, prose(claim.summary));
  std::string weight =
      fmt::format(" ({}{}", claim.counted_db > 0 ? "+" : "", format_db(claim.counted_db));
  if (claim.gate) weight += ", gate " + *claim.gate;
  append(out, {plain(weight + ", "), code(claim.rule), plain(")")});
  return out;
}

Inline rival_item(const Hypothesis& h) {
  Inline out = {strong("Not "), code(class_and_cause(h.failure_class, h.cause))};
  if (!h.workers.empty()) append(out, {plain(" at " + format_names(h.workers, 6))});
  append(out, {plain(fmt::format(" ({})", format_db(h.score_db)))});
  if (h.why) {
    append(out, {plain(": ")});
    append(out, prose(*h.why));
  } else {
    append(out, {plain(": less evidence")});
  }
  return out;
}

bool is_rival(const ReportModel& model, const Hypothesis& h) {
  if (&h == own_hypothesis(model)) return false;
  // Other findings that stand are listed as findings, not as rivals.
  return h.role == "rejected" || h.role == "root";
}

struct KindOfEvidence {
  std::string_view table, words;
};

// Evidence that a bundle may lack. Tables that alignment derives are not here: no rows in them
// means that nothing of the kind was seen, not that somebody forgot to collect it.
constexpr std::array kKinds = {
    KindOfEvidence{"allocator_dump", "allocator reports"},
    KindOfEvidence{"checkpoint", "checkpoints"},
    KindOfEvidence{"checkpoint_state", "checkpoint state files"},
    KindOfEvidence{"environment", "versions"},
    KindOfEvidence{"exit_record", "exit records"},
    KindOfEvidence{"gpu_process", "GPU processes (nvidia-smi)"},
    KindOfEvidence{"gpu_sample", "GPU state (nvidia-smi)"},
    KindOfEvidence{"kernel_event", "kernel messages"},
    KindOfEvidence{"loss_span", "losses"},
    KindOfEvidence{"metric", "metrics"},
    KindOfEvidence{"process_state", "process lists"},
    KindOfEvidence{"profile_step", "profiles"},
    KindOfEvidence{"stack", "stacks"},
    KindOfEvidence{"stack_thread", "stacks"},
    KindOfEvidence{"step_marker", "steps"},
    KindOfEvidence{"tf_config", "TF_CONFIG"},
};

// What rules waited for in vain, in one line.
void add_not_evaluated(const ReportModel& model, List& list) {
  std::map<std::string, std::vector<std::string>> rules;  // kind of evidence -> rules
  for (const RuleGap& gap : model.not_evaluated) {
    for (const KindOfEvidence& kind : kKinds) {
      if (std::find(gap.needs.begin(), gap.needs.end(), kind.table) != gap.needs.end())
        rules[std::string(kind.words)].push_back(gap.rule);
    }
  }
  if (rules.empty()) return;
  std::vector<std::string> parts;
  for (const auto& [words, names] : rules)
    parts.push_back(fmt::format("{} ({})", words, format_names(names, 6)));
  list.items.push_back(
      {strong("Not evaluated"), plain(", not in the bundle: " + join(parts, " · "))});
}

}  // namespace

void add_reasons(const ReportModel& model, Document& doc) {
  List list{false, {}};
  if (const Hypothesis* own = own_hypothesis(model)) {
    const std::size_t count = std::min(own->claims.size(), kMaxClaims);
    for (std::size_t i = 0; i < count; ++i) list.items.push_back(claim_item(own->claims[i]));
    if (count < own->claims.size())
      list.items.push_back({plain(fmt::format("and {} more claims", own->claims.size() - count))});
  }
  std::size_t rivals = 0;
  for (const Hypothesis& h : model.hypotheses) {
    if (!is_rival(model, h) || rivals++ >= kMaxRivals) continue;
    list.items.push_back(rival_item(h));
  }
  if (rivals > kMaxRivals)
    list.items.push_back(
        {plain(fmt::format("and {} more rejected hypotheses", rivals - kMaxRivals))});
  add_not_evaluated(model, list);
  if (list.items.empty()) return;
  doc.add(Heading{2, {plain("Why this and nothing else")}});
  doc.add(std::move(list));
}

}  // namespace tfpm::report
