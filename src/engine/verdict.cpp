// The verdict row: status, words, and what would decide it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/case_file.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

using nlohmann::json;

Value opt(const OptInt& v) {
  return v ? Value(*v) : null_value();
}
Value text_or_null(const std::string& s) {
  return s.empty() ? null_value() : Value(s);
}

std::string_view status_word(VerdictStatus status) {
  switch (status) {
    case VerdictStatus::kExplained:
      return "explained";
    case VerdictStatus::kHealthy:
      return "healthy";
    case VerdictStatus::kUndetermined:
      return "undetermined";
  }
  return "undetermined";
}

const Hypothesis* at(const CaseFile& file, int index) {
  return index < 0 ? nullptr : &file.hypotheses[static_cast<std::size_t>(index)];
}

// Who is named when nothing is sure: the tied hypotheses' task, if they all point at the same.
bool points_at_one(const CaseFile& file) {
  const Hypothesis* root = file.root();
  if (root == nullptr) return false;
  return std::all_of(file.choice.tied.begin(), file.choice.tied.end(),
                     [&](int i) { return at(file, i)->workers == root->workers; });
}

std::string healthy_summary(const CaseFile& file) {
  const auto steps = file.facts.steps.find(file.choice.generation);
  const bool shown = how_it_ended(file.facts, file.choice.generation).shown;
  std::string out = shown ? "The job ran to its end"
                          : "Nothing in the bundle shows a failure; no exit record or final word "
                            "says so";
  if (steps != file.facts.steps.end() && steps->second.frontier && file.facts.steps_numbered) {
    out += fmt::format("; last step {}", *steps->second.frontier);
  }
  out += ".";
  std::vector<std::string> unseen;
  for (const Unseen& u : file.facts.unseen) unseen.push_back(u.what);
  if (shown && !unseen.empty()) {
    out += fmt::format(" Not in the bundle, so not judged: {}.", join_names(unseen));
  }
  const std::int64_t restarts = file.facts.restarts_before(file.choice.generation);
  if (restarts > 0) {
    out += fmt::format(" It was restarted {} time(s) before; see the findings.", restarts);
  }
  return out;
}

std::string what_stopped_it(const CaseFile& file) {
  const Hypothesis* last = final_stopper(file);
  if (last == nullptr) return {};
  return fmt::format(" What finally stopped the job, independently: {} ({}, {}).",
                     hypothesis_title(file, *last), last->failure_class,
                     step_phrase(*last, file.facts));
}

// Nobody died or left: whoever is not a victim was there until it was cleaned up.
bool was_hang(const CaseFile& file) {
  std::size_t there = 0;
  for (const RunInfo& r : file.facts.runs) {
    if (r.generation != file.choice.generation || !r.trains) continue;
    if (r.ending != "cleaned-up" && r.ending != "victim") return false;
    if (r.ending == "cleaned-up") ++there;
  }
  return there > 1;
}

std::string after_common_step(const CaseFile& file) {
  const auto steps = file.facts.steps.find(file.choice.generation);
  if (steps == file.facts.steps.end() || !steps->second.common) return {};
  return fmt::format(" after step {}", *steps->second.common);
}

std::string summary(const CaseFile& file) {
  if (file.choice.status == VerdictStatus::kHealthy) return healthy_summary(file);
  const Hypothesis* root = file.root();
  if (root == nullptr && file.facts.runs.empty()) {
    return "The bundle holds no log, configuration or exit record of a training task, so there is "
           "no "
           "run to judge; what was read is in the database.";
  }
  if (root == nullptr && was_hang(file)) {
    return fmt::format(
        "The job hung: every task was still there when it was stopped{}, and none wrote an error "
        "of its own. The bundle does not show which task the others waited for; stacks of every "
        "task, taken while it hangs, would.",
        after_common_step(file));
  }
  if (root == nullptr) {
    return "Something failed, but the bundle does not say what: no task wrote an error of its own "
           "that explains the end.";
  }
  const Phrases p = phrases_for(file, *root);
  const auto info = file.classes.find(root->failure_class);
  std::string text = p.what;
  if (info != file.classes.end()) {
    const ClassTexts& texts = info->second.texts_for(root->cause);
    text = fill(root->workers.empty() ? texts.summary_unnamed : texts.summary, p);
  }
  if (file.choice.status == VerdictStatus::kUndetermined) {
    return "Not decided. The best guess: " + text;
  }
  return text + what_stopped_it(file);
}

std::vector<std::string> collect_next(const CaseFile& file) {
  std::vector<std::string> out;
  if (file.choice.confidence == "established") return out;
  if (file.choice.status == VerdictStatus::kHealthy) {
    for (const Unseen& u : file.facts.unseen) out.push_back(u.collect);
    if (!how_it_ended(file.facts, file.choice.generation).shown) {
      out.push_back("each task's exit status: the launcher's log or the scheduler's record");
    }
    return out;
  }
  const auto add = [&](const Hypothesis& h) {
    const auto info = file.classes.find(h.failure_class);
    if (info == file.classes.end()) return;
    for (const std::string& line : info->second.texts_for(h.cause).collect) {
      const std::string text = fill(line, phrases_for(file, h));
      if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(text);
    }
  };
  if (file.root() != nullptr) add(*file.root());
  for (const int i : file.choice.tied) add(*at(file, i));
  const bool untagged = !file.facts.untagged.empty();
  if (untagged) {
    out.push_back(fmt::format(
        "one log per task, or lines that say whose they are (`kubectl logs --prefix`, `srun "
        "--label`, `mpirun --tag-output`): nothing tells whose lines {} holds",
        join_names(file.facts.untagged)));
  }
  for (const RunInfo& r : file.facts.runs) {
    if (r.generation != file.choice.generation) continue;
    if (!r.has_log && !untagged)
      out.push_back(fmt::format("the log of {}: it is not in the bundle", r.name));
    if (r.ending == "cut")
      out.push_back(fmt::format("the end of {}'s log: it exited with {} without a word", r.name,
                                r.exit_code.value_or(0)));
  }
  if (out.empty()) {
    const auto info = file.classes.find("undetermined");
    Phrases everyone;
    everyone.workers = "every task";
    everyone.host = "each host";
    everyone.step = "the end";
    everyone.last = "the last step";
    everyone.what = everyone.checkpoint = everyone.cause = "unknown";
    if (info == file.classes.end()) return out;
    for (const std::string& line : info->second.texts.collect) out.push_back(fill(line, everyone));
  }
  return out;
}

}  // namespace

const Hypothesis* final_stopper(const CaseFile& file) {
  const Hypothesis* last = nullptr;
  for (const Hypothesis& h : file.hypotheses) {
    if (h.generation != file.choice.generation || h.role != "independent" || !h.step_lo) continue;
    const auto info = file.classes.find(h.failure_class);
    if (info == file.classes.end() || !info->second.ends_process) continue;
    if (last == nullptr || *h.step_lo > *last->step_lo) last = &h;
  }
  return last;
}

bool names_workers(const CaseFile& file) {
  if (file.root() == nullptr || file.choice.status == VerdictStatus::kHealthy) return false;
  return file.choice.status == VerdictStatus::kExplained || points_at_one(file);
}

Status write_verdict(Database& db, const CaseFile& file) {
  const Choice& choice = file.choice;
  const Hypothesis* root = file.root();
  const bool healthy = choice.status == VerdictStatus::kHealthy;
  const bool explained = choice.status == VerdictStatus::kExplained;
  std::vector<std::string> names;
  if (names_workers(file)) names = worker_names(*root, file.facts);
  const bool tied_apart = !explained && choice.tied.size() > 1 && !points_at_one(file);
  std::string failure_class = healthy                         ? "none"
                              : root == nullptr || tied_apart ? "undetermined"
                                                              : root->failure_class;
  const bool shown = root != nullptr && !healthy && !tied_apart;
  const Hypothesis* rival = at(file, choice.rival);
  std::string rival_text;
  if (rival != nullptr) {
    rival_text =
        fmt::format("{} {}", rival->failure_class, join_names(worker_names(*rival, file.facts)));
  }
  const auto to_json = [](const std::vector<std::string>& list) {
    return json(list).dump(-1, ' ', false, json::error_handler_t::replace);
  };
  RowWriter rows(db);
  const Row row{"verdict",
                {{"status", text_value(status_word(choice.status))},
                 {"class", failure_class},
                 {"cause", shown ? text_or_null(root->cause) : null_value()},
                 {"workers", to_json(names)},
                 {"step_lo", shown ? opt(root->step_lo) : null_value()},
                 {"step_hi", shown ? opt(root->step_hi) : null_value()},
                 {"generation", choice.generation},
                 {"confidence", choice.confidence},
                 {"score_db", root == nullptr || healthy ? null_value() : Value(root->score_db)},
                 {"margin_db", root == nullptr || healthy ? null_value() : Value(choice.margin_db)},
                 {"rival", text_or_null(rival_text)},
                 {"summary", summary(file)},
                 {"collect_next", to_json(collect_next(file))}}};
  return rows.write(row).status();
}

}  // namespace tfpm
