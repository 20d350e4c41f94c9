#include "report/terminal.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/format.h"
#include "report/phrases.h"
#include "report/text.h"

namespace tfpm::report {
namespace {

constexpr std::size_t kMaxTasks = 8;
constexpr std::size_t kMaxChain = 6;
constexpr std::size_t kMaxAdvice = 3;
constexpr std::size_t kMaxOthers = 3;

class Screen {
 public:
  explicit Screen(const TerminalStyle& style)
      : color_(style.color), width_(static_cast<std::size_t>(std::max(style.width, 40))) {}

  // Text of unknown origin: made visible and wrapped with `indent` spaces before every line.
  void wrapped(const std::string& raw, std::size_t indent, std::size_t max_lines,
               const std::string& first_prefix = {}) {
    const std::string pad(indent, ' ');
    std::string line = first_prefix.empty() ? pad : pad_right(first_prefix, indent);
    bool has_word = false;
    std::size_t lines = 1;
    for (const std::string& word : words(visible(raw))) {
      if (has_word && count_chars(line) + 1 + count_chars(word) > width_) {
        if (lines++ == max_lines) {
          out_ += line + " …\n";
          return;
        }
        out_ += line + "\n";
        line = pad;
        has_word = false;
      }
      line += (has_word ? " " : "") + shorten(word, width_);
      has_word = true;
    }
    out_ += line + "\n";
  }

  void line(const std::string& text) { out_ += shorten(text, width_) + "\n"; }
  void blank() { out_ += "\n"; }
  // `code` is an SGR number; nothing on a terminal without colour.
  void colored(int code, const std::string& text) {
    const std::string shown = shorten(visible(text), width_);
    out_ += color_ ? fmt::format("\x1b[{}m{}\x1b[0m\n", code, shown) : shown + "\n";
  }
  std::string take() { return std::move(out_); }

 private:
  static std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> out;
    std::size_t at = 0;
    while ((at = text.find_first_not_of(' ', at)) != std::string::npos) {
      const std::size_t end = text.find(' ', at);
      out.push_back(text.substr(at, end - at));
      at = end == std::string::npos ? text.size() : end;
    }
    return out;
  }

  bool color_;
  std::size_t width_;
  std::string out_;
};

constexpr int kRed = 31;
constexpr int kGreen = 32;
constexpr int kYellow = 33;
constexpr int kBold = 1;

int color_of(const Verdict& verdict) {
  if (verdict.status == "healthy") return kGreen;
  return verdict.status == "undetermined" ? kYellow : kRed;
}

std::string verdict_line(const Verdict& verdict) {
  std::vector<std::string> parts;
  if (verdict.status != "explained") parts.push_back(verdict.status);
  if (verdict.failure_class != "none" && verdict.failure_class != verdict.status)
    parts.push_back(class_and_cause(verdict.failure_class, verdict.cause));
  if (!verdict.workers.empty()) parts.push_back(format_names(verdict.workers, 4));
  if (verdict.step.known()) parts.push_back("step " + format_step(verdict.step));
  parts.push_back(confidence_words(verdict));
  return "  " + join(parts, " · ");
}

void add_tasks(const ReportModel& model, Screen& screen) {
  const std::vector<const Task*> tasks = tasks_by_role(model);
  if (tasks.empty()) return;
  const std::size_t shown = std::min(tasks.size(), kMaxTasks);
  std::size_t name_width = 4;
  for (std::size_t i = 0; i < shown; ++i)
    name_width = std::max(name_width, count_chars(visible(display_name(*tasks[i]))));
  name_width = std::min<std::size_t>(name_width, 30) + 2;
  screen.blank();
  screen.colored(kBold, "  " + pad_right("task", name_width) + pad_right("role", 18) +
                            pad_right("last step", 11) + "ended");
  for (std::size_t i = 0; i < shown; ++i) {
    const Task& task = *tasks[i];
    screen.line("  " + pad_right(shorten(visible(display_name(task)), name_width - 2), name_width) +
                pad_right(role_words(model, task), 18) + pad_right(format_int(task.last_step), 11) +
                ended(task));
  }
  if (shown == tasks.size()) return;
  std::vector<std::string> rest;
  for (std::size_t i = shown; i < tasks.size(); ++i) rest.push_back(display_name(*tasks[i]));
  screen.line(fmt::format("  and {} more: {}", rest.size(), visible(format_names(rest, 4))));
}

// "step 16, worker-2: what", without what the words themselves begin with.
std::string link_text(const ChainLink& link) {
  std::string text = link.what;
  if (!text.empty() && text.back() == '.') text.pop_back();
  if (link.worker && !text.starts_with(*link.worker)) text = *link.worker + ": " + text;
  if (link.step.known() && !text.starts_with("step "))
    text = "step " + format_step(link.step) + ", " + text;
  return text;
}

void add_chain(const ReportModel& model, Screen& screen) {
  if (model.chain.empty()) return;
  screen.blank();
  screen.colored(kBold, "  chain");
  const std::size_t shown = std::min(model.chain.size(), kMaxChain);
  for (std::size_t i = 0; i < shown; ++i) {
    const ChainLink& link = model.chain[i];
    std::string text = link_text(link);
    if (!link.evidence.empty()) {
      const Evidence* item = model.evidence_by_id(link.evidence.front());
      if (item != nullptr && item->source) text += " [" + format_place(*item) + "]";
    }
    screen.wrapped(text, 5, 2, fmt::format("  {}.", link.n));
  }
  if (shown < model.chain.size())
    screen.line(fmt::format("     and {} more links", model.chain.size() - shown));
}

void add_advice(const ReportModel& model, Screen& screen) {
  std::vector<std::string> steps = urgent_advice(model);
  if (steps.size() > kMaxAdvice) steps.resize(kMaxAdvice);
  if (model.verdict.status != "healthy" && !model.verdict.collect_next.empty())
    steps.push_back("Collect next: " + model.verdict.collect_next.front());
  if (steps.empty()) return;
  screen.blank();
  screen.colored(kBold, "  do now");
  for (std::size_t i = 0; i < steps.size(); ++i)
    screen.wrapped(steps[i], 5, 2, fmt::format("  {}.", i + 1));
}

// Other faults that stand by themselves; the rest is in the report.
void add_others(const ReportModel& model, Screen& screen) {
  std::size_t shown = 0;
  for (const Finding& finding : model.findings) {
    const bool stands = finding.role == "independent" || finding.role == "contributing";
    const bool matters = finding.severity != "info" && finding.severity != "data-quality";
    if (!stands || !matters || shown == kMaxOthers) continue;
    if (shown++ == 0) {
      screen.blank();
      screen.colored(kBold, "  also");
    }
    screen.wrapped(finding.title + " (" + class_and_cause(finding.failure_class, finding.cause) +
                       ", " + finding.severity + ")",
                   5, 2, fmt::format("  F{}", finding.id));
  }
}

void add_losses(const ReportModel& model, const TerminalStyle& style, Screen& screen) {
  const auto lost = std::count_if(
      model.problems.begin(), model.problems.end(),
      [](const Problem& p) { return p.severity == "error" || p.severity == "data-loss"; });
  if (lost == 0 && style.output_dir.empty()) return;
  screen.blank();
  if (lost > 0)
    screen.line(fmt::format("  evidence was lost on the way: {} {}, see \"What was missing\"", lost,
                            lost == 1 ? "problem" : "problems"));
  if (!style.output_dir.empty())
    screen.wrapped(
        "report: " + style.output_dir + "/report.md · database: " + style.output_dir + "/tfpm.db",
        2, 3);
}

}  // namespace

std::string to_terminal(const ReportModel& model, const TerminalStyle& style) {
  Screen screen(style);
  screen.colored(color_of(model.verdict), title(model));
  screen.wrapped(verdict_line(model.verdict), 2, 2);
  screen.blank();
  screen.wrapped(model.verdict.summary, 2, 4);
  add_tasks(model, screen);
  add_chain(model, screen);
  add_advice(model, screen);
  add_others(model, screen);
  add_losses(model, style, screen);
  return screen.take();
}

}  // namespace tfpm::report
