#include "report/phrases.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "report/format.h"
#include "report/text.h"

namespace tfpm::report {
namespace {

bool one_of(const MaybeText& value, std::initializer_list<std::string_view> options) {
  return value && std::find(options.begin(), options.end(), *value) != options.end();
}

struct EndingWords {
  std::string_view ending, words;
};

constexpr std::array kEndings = {
    EndingWords{"finished", "finished"},
    EndingWords{"excused", "removed after the end of the run"},
    EndingWords{"left-early", "left early, without an error"},
    EndingWords{"told-to-go", "told to go by the platform"},
    EndingWords{"cleaned-up", "stopped by the launcher"},
    EndingWords{"crashed", "crashed"},
    EndingWords{"victim", "gave up on a lost peer"},
    EndingWords{"silent", "ended without a word"},
    EndingWords{"cut", "its last words are missing"},
    EndingWords{"absent", "left no log"},
    EndingWords{"alone", "trained alone"},
    EndingWords{"waiting", "waiting"},
};

struct TerminalWords {
  std::string_view terminal, words;
};

constexpr std::array kTerminals = {
    TerminalWords{"finished", "finished"},     TerminalWords{"traceback", "uncaught exception"},
    TerminalWords{"signal", "fatal signal"},   TerminalWords{"oom", "killed for memory"},
    TerminalWords{"exit0", "exited normally"}, TerminalWords{"exit", "exited"},
    TerminalWords{"silent", "ended silently"}, TerminalWords{"absent", "left no log"},
    TerminalWords{"running", "still running"},
};

// Runs of an earlier launch, whose output its log begins with.
std::size_t older_runs(const Task& task) {
  return static_cast<std::size_t>(std::count_if(task.attempts.begin(), task.attempts.end(),
                                                [](const Attempt& a) { return a.n < 0; }));
}

std::string words_of_ending(const Task& task) {
  // How a crash looked says more than that it was one.
  const bool crashed =
      one_of(task.ending, {"crashed"}) && one_of(task.terminal, {"traceback", "signal", "oom"});
  if (!crashed) {
    for (const EndingWords& e : kEndings) {
      if (task.ending && *task.ending == e.ending) return std::string(e.words);
    }
  }
  for (const TerminalWords& t : kTerminals) {
    if (task.terminal && *task.terminal == t.terminal) return std::string(t.words);
  }
  return "unknown";
}

std::string first_sentence(const std::string& text) {
  const std::size_t end = text.find(". ");
  std::string sentence = text.substr(0, end);
  while (!sentence.empty() && sentence.back() == '.') sentence.pop_back();
  return shorten(sentence, 240);
}

struct EdgeWords {
  std::string_view edge, words;
};

constexpr std::array kEdges = {
    EdgeWords{"program-order", "its own doing"},
    EdgeWords{"collective", "same collective"},
    EdgeWords{"process", "end of the process"},
    EdgeWords{"checkpoint", "same checkpoint"},
    EdgeWords{"abort-text", "named in its error"},
    EdgeWords{"rpc", "broken connection"},
    EdgeWords{"coordinator", "coordination service"},
    EdgeWords{"time", "later"},
    EdgeWords{"explains", "consequence"},
};

constexpr std::array<std::string_view, 8> kRoleOrder = {
    "culprit", "suspect", "own failure", "unclear", "victim", "bystander", "fine", ""};

std::size_t rank_of(const std::string& role) {
  return static_cast<std::size_t>(std::find(kRoleOrder.begin(), kRoleOrder.end(), role) -
                                  kRoleOrder.begin());
}

}  // namespace

std::string role_words(const ReportModel& model, const Task& task) {
  const Finding* root = model.root();
  const bool others = task.role_finding && (root == nullptr || *task.role_finding != root->id);
  if (!others) return task.role;
  if (task.role == "victim") return fmt::format("victim of F{}", *task.role_finding);
  return task.role == "own failure" ? fmt::format("own failure (F{})", *task.role_finding)
                                    : task.role;
}

std::string display_name(const Task& task) {
  if (task.instance == 0) return task.name;
  if (task.instance == 1) return task.name + " (2nd process)";
  return fmt::format("{} (process {})", task.name, task.instance + 1);
}

std::string ended(const Task& task) {
  std::string words = words_of_ending(task);
  if (task.exit_code) words += fmt::format(" ({})", *task.exit_code);
  const std::size_t older = older_runs(task);
  if (task.attempts.size() > older + 1) {
    words += fmt::format(", run {}", task.attempts.size() - older);
  }
  return words;
}

std::int64_t restarts_before(const ReportModel& model) {
  std::size_t older = 0;
  for (const Task& task : model.tasks) older = std::max(older, older_runs(task));
  return model.verdict.generation.value_or(0) - static_cast<std::int64_t>(older);
}

std::string class_and_cause(const std::string& failure_class, const MaybeText& cause) {
  return cause ? failure_class + " / " + *cause : failure_class;
}

std::string title(const ReportModel& model) {
  const Verdict& verdict = model.verdict;
  if (verdict.status == "explained") {
    if (const Finding* root = model.root()) return first_sentence(root->title);
  }
  return first_sentence(verdict.summary);
}

std::string confidence_words(const Verdict& verdict) {
  std::vector<std::string> details;
  if (verdict.score_db) details.push_back(format_db(*verdict.score_db));
  if (verdict.rival) {
    std::string rival = "next hypothesis " + *verdict.rival;
    if (verdict.score_db && verdict.margin_db)
      rival += " at " + format_db(*verdict.score_db - *verdict.margin_db);
    details.push_back(rival);
  }
  if (details.empty()) return verdict.confidence;
  return fmt::format("{} ({})", verdict.confidence, join(details, ", "));
}

const MaybeText& resume_prefix(const Checkpoints& checkpoints) {
  return checkpoints.last_good_before_nan ? checkpoints.last_good_before_nan
                                          : checkpoints.last_good;
}

std::string resume_sentence(const ReportModel& model) {
  const Checkpoints& ckpt = model.checkpoints;
  const bool before_nan = ckpt.last_good_before_nan.has_value();
  const MaybeText& prefix = resume_prefix(ckpt);
  if (!prefix) return {};
  std::string out = "Resume from `" + *prefix + "`";
  for (const CheckpointItem& item : ckpt.items) {
    if (item.prefix == *prefix && item.step) out += fmt::format(" (step {})", *item.step);
  }
  if (before_nan) out += ", the last good one from before the first non-finite value";
  if (ckpt.lost_steps && !before_nan) {
    const std::int64_t lost = *ckpt.lost_steps;
    out += lost == 0 ? "; no step is lost"
                     : fmt::format("; {} {} lost", lost, lost == 1 ? "step is" : "steps are");
  }
  return out + ".";
}

std::vector<std::string> urgent_advice(const ReportModel& model) {
  std::vector<std::string> out;
  if (const Finding* root = model.root()) {
    for (const Advice& advice : root->advice) {
      if (advice.part == "now") out.push_back(advice.text);
    }
  }
  const std::string resume = model.verdict.status == "healthy" ? "" : resume_sentence(model);
  if (resume.empty()) return out;
  const std::string& prefix = *resume_prefix(model.checkpoints);
  const std::size_t urgent = std::min<std::size_t>(out.size(), 2);
  const bool named = std::any_of(
      out.begin(), out.begin() + static_cast<std::ptrdiff_t>(urgent),
      [&](const std::string& advice) { return advice.find(prefix) != std::string::npos; });
  if (!named) out.insert(out.begin() + (out.empty() ? 0 : 1), resume);
  return out;
}

std::string now_sentence(const ReportModel& model) {
  std::vector<std::string> parts = urgent_advice(model);
  if (parts.size() > 2) parts.resize(2);
  const bool healthy = model.verdict.status == "healthy";
  if (parts.empty() && !healthy && !model.verdict.collect_next.empty())
    parts.push_back("Collect next: " + model.verdict.collect_next.front());
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += out.back() == '.' ? " " : ". ";
    out += part;
  }
  return out;
}

std::string edge_words(const std::string& edge) {
  for (const EdgeWords& e : kEdges) {
    if (edge == e.edge) return std::string(e.words);
  }
  return edge;
}

std::vector<const Task*> tasks_by_role(const ReportModel& model) {
  std::vector<std::pair<std::size_t, const Task*>> ranked;
  for (const Task& task : model.tasks) ranked.emplace_back(rank_of(task.role), &task);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Task*> out;
  for (const auto& [rank, task] : ranked) out.push_back(task);
  return out;
}

}  // namespace tfpm::report
