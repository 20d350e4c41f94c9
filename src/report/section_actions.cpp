// What to do now, what to collect, and the checkpoints to resume from.
#include <fmt/format.h>

#include <algorithm>

#include "report/format.h"
#include "report/phrases.h"
#include "report/sections.h"

namespace tfpm::report {
namespace {

constexpr std::size_t kMaxCheckpoints = 24;
constexpr std::size_t kMaxOtherAdvice = 6;

void add_unique(std::vector<std::string>& to, const std::string& text) {
  if (!text.empty() && std::find(to.begin(), to.end(), text) == to.end()) to.push_back(text);
}

std::string completeness_words(const std::string& completeness) {
  return completeness == "complete" ? "yes" : completeness;
}

std::string integrity_words(const std::string& integrity) {
  if (integrity == "crc-ok") return "ok";
  if (integrity == "crc-bad") return "wrong";
  if (integrity == "crc-sampled") return "ok where sampled";
  return integrity;
}

std::string health_words(const std::string& health) {
  return health == "nonfinite" ? "not finite" : health;
}

bool is_resume_point(const Checkpoints& ckpt, const CheckpointItem& item) {
  const MaybeText& best = resume_prefix(ckpt);
  return best && *best == item.prefix;
}

// Checkpoints worth a row when there are many: damaged ones, the one to resume from, the newest.
bool is_shown(const Checkpoints& ckpt, std::size_t index) {
  const CheckpointItem& item = ckpt.items[index];
  if (ckpt.items.size() <= kMaxCheckpoints) return true;
  return item.problem || is_resume_point(ckpt, item) || index + 6 >= ckpt.items.size();
}

Inline remark(const ReportModel& model, const CheckpointItem& item) {
  if (is_resume_point(model.checkpoints, item)) {
    const bool healthy = model.verdict.status == "healthy";
    Inline out = {strong(healthy ? "newest good one" : "resume here")};
    if (item.problem) out.push_back(plain(": " + *item.problem));
    return out;
  }
  return item.problem ? prose(*item.problem) : Inline{};
}

std::string folder_of(const std::string& prefix) {
  const std::size_t slash = prefix.rfind('/');
  return slash == std::string::npos ? std::string() : prefix.substr(0, slash + 1);
}

// Keras keeps a checkpoint in one file and no state beside it.
bool has_state_file(const std::string& prefix) {
  return !prefix.ends_with(".keras") && !prefix.ends_with(".h5");
}

// Exact steps back to an older checkpoint: what the state file must say, and what to move away so
// that nothing picks the newer ones up.
void add_way_back(const ReportModel& model, Document& doc) {
  const MaybeText& best = resume_prefix(model.checkpoints);
  if (!best || model.verdict.status == "healthy" || !has_state_file(*best)) return;
  const std::vector<CheckpointItem>& items = model.checkpoints.items;
  const auto resume = std::find_if(items.begin(), items.end(),
                                   [&](const CheckpointItem& i) { return i.prefix == *best; });
  if (resume == items.end() || !resume->step) return;
  const std::string folder = folder_of(*best);
  Inline aside;
  for (const CheckpointItem& item : items) {
    const bool newer = folder_of(item.prefix) == folder && item.step && *item.step > *resume->step;
    if (!newer || aside.size() == 2 * kMaxCheckpoints) continue;
    aside.push_back(plain(aside.empty() ? "Move aside: " : ", "));
    aside.push_back(code(item.prefix + ".*"));
  }
  if (aside.empty()) return;
  const std::string name = best->substr(folder.size());
  doc.add(Paragraph{{plain("To resume from "), code(*best), plain(", let "),
                     code(folder + "checkpoint"), plain(" say:")}});
  doc.add(CodeBlock{
      fmt::format("model_checkpoint_path: \"{0}\"\nall_model_checkpoint_paths: \"{0}\"", name),
      "text"});
  doc.add(Paragraph{std::move(aside)});
  const std::string tensors = resume->tensors ? fmt::format("{} tensors, ", *resume->tensors) : "";
  doc.add(Paragraph{{plain("Then "), code("tfpm verify-checkpoint " + *best),
                     plain(" must say: good, " + tensors + "all of them verified.")}});
}

std::vector<std::string> advice_of(const Finding& finding, std::string_view part) {
  std::vector<std::string> out;
  for (const Advice& advice : finding.advice) {
    if (advice.part == part) out.push_back(advice.text);
  }
  return out;
}

// The first thing to do about each other fault that stands by itself.
void add_other_advice(const ReportModel& model, std::vector<std::string>& now) {
  std::size_t others = 0;
  for (const Finding& finding : model.findings) {
    const bool stands = finding.role == "contributing" || finding.role == "independent";
    if (!stands || finding.advice.empty() || others == kMaxOtherAdvice) continue;
    add_unique(now, fmt::format("F{}: {}", finding.id, finding.advice.front().text));
    ++others;
  }
}

void add_part(const std::string& title, const std::vector<std::string>& advice, bool ordered,
              Document& doc) {
  if (advice.empty()) return;
  doc.add(Paragraph{{strong(title + ":")}});
  List list{ordered, {}};
  for (const std::string& text : advice) list.items.push_back(prose(text));
  doc.add(std::move(list));
}

}  // namespace

void add_actions(const ReportModel& model, Document& doc) {
  const std::vector<std::string>& collect = model.verdict.collect_next;
  std::vector<std::string> now = urgent_advice(model);
  add_other_advice(model, now);
  const Finding* root = model.root();
  const bool any = !now.empty() || (root != nullptr && !root->advice.empty());
  if (!any && collect.empty()) return;
  doc.add(Heading{2, {plain("What to do")}});
  add_part("Now", now, true, doc);
  if (root != nullptr) {
    add_part("To confirm or refute", advice_of(*root, "check"), false, doc);
    add_part("So that it does not return, or is seen sooner", advice_of(*root, "prevent"), false,
             doc);
  }
  add_part("To decide what the bundle leaves open, collect", collect, false, doc);
}

void add_checkpoints(const ReportModel& model, Document& doc) {
  const Checkpoints& ckpt = model.checkpoints;
  if (ckpt.items.empty()) return;
  doc.add(Heading{2, {plain("Checkpoints")}});
  Table table{{"prefix", "step", "complete", "CRC", "values", ""}, {}};
  for (std::size_t i = 0; i < ckpt.items.size(); ++i) {
    if (!is_shown(ckpt, i) || table.rows.size() == 2 * kMaxCheckpoints) continue;
    const CheckpointItem& item = ckpt.items[i];
    table.rows.push_back({{code(item.prefix)},
                          {plain(format_int(item.step))},
                          {plain(completeness_words(item.completeness))},
                          {plain(integrity_words(item.integrity))},
                          {plain(health_words(item.health))},
                          remark(model, item)});
  }
  const std::size_t hidden = ckpt.items.size() - table.rows.size();
  doc.add(std::move(table));
  if (hidden > 0)
    doc.add(Paragraph{{plain(fmt::format("{} more are in the table ", hidden)),
                       code("checkpoint_summary"), plain(" of the database.")}});
  if (ckpt.avoidable_lost_steps && *ckpt.avoidable_lost_steps > 0)
    doc.add(Paragraph{{plain(fmt::format(
        "{} of the lost steps were avoidable: a newer checkpoint than the restored one was good.",
        *ckpt.avoidable_lost_steps))}});
  add_way_back(model, doc);
}

}  // namespace tfpm::report
