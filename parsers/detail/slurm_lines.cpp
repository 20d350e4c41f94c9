#include "parsers/detail/slurm_lines.h"

#include <algorithm>

#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxExpanded = 8192;

// "Exited with exit code 1", "Killed", "Out Of Memory", "Segmentation fault (core dumped)".
bool read_ending(std::string_view text, ExitRecord& record) {
  std::string_view rest = text;
  if (eat(rest, "Exited with exit code ")) {
    const auto code = parse_int(trim(rest));
    if (!code) return false;
    record.what = "exited";
    set_exit_code(record, *code);
    return true;
  }
  if (text == "Out Of Memory") {
    record.what = "oom";
    record.reason = "OUT_OF_MEMORY";
    set_signal(record, 9);
    return true;
  }
  const auto signal = signal_number(text);
  if (!signal) return false;
  record.what = "exited";
  set_signal(record, *signal);
  return true;
}

// "gpu-n3: task 2: Killed", "node-04: tasks 1-3: Exited with exit code 1".
std::vector<ExitRecord> read_task_line(std::string_view text) {
  const std::size_t at = text.find(": task");
  if (at == std::string_view::npos) return {};
  const std::string_view hosts = text.substr(0, at);
  text.remove_prefix(at + 6);
  eat(text, "s");
  const std::string_view ranks = eat_token(text);
  if (ranks.empty() || ranks.back() != ':') return {};
  ExitRecord record;
  if (!read_ending(trim(text), record)) return {};
  // Which host of several a rank ran on is not said.
  if (hosts.find('[') == std::string_view::npos && hosts.find(',') == std::string_view::npos) {
    record.host = std::string(hosts);
  }
  std::vector<ExitRecord> out;
  for (const std::int64_t rank : parse_ranges(ranks.substr(0, ranks.size() - 1))) {
    record.rank = rank;
    out.push_back(record);
  }
  return out;
}

// "*** STEP 5.0 ON gpu-n1 CANCELLED AT 2026-03-05T14:05:42 DUE TO TIME LIMIT ***".
std::vector<ExitRecord> read_cancelled(std::string_view text) {
  const std::size_t at = text.find(" CANCELLED AT ");
  if (at == std::string_view::npos) return {};
  ExitRecord record{"cancelled"};
  if (const auto host = between(text.substr(0, at + 1), " ON ", " ")) record.host = *host;
  text.remove_prefix(at + 14);
  if (const auto stamp = leading_iso_time(text)) record.time_us = stamp->time_us;
  if (const auto due = between(text, " DUE TO ", " ***")) {
    record.reason = std::string(*due);
    if (*due == "TIME LIMIT") record.what = "time-limit";
    if (*due == "PREEMPTION") record.what = "preempted";
    if (contains(*due, "NODE FAIL")) record.what = "node-fail";
  }
  return {record};
}

std::vector<ExitRecord> read_stepd(std::string_view line) {
  std::string_view rest = line;
  eat(rest, "slurmstepd");
  std::optional<std::string> host;
  if (eat(rest, "-")) host = std::string(rest.substr(0, rest.find(':')));
  std::vector<ExitRecord> out = read_cancelled(line);
  const bool oom = contains(line, "oom_kill event") || contains(line, "oom-kill event") ||
                   contains(line, "exceeded memory limit") ||
                   contains(line, "Exceeded job memory limit");
  if (out.empty() && oom) {
    ExitRecord record{"oom"};
    record.reason = "oom_kill event";
    out.push_back(record);
  }
  for (ExitRecord& record : out) {
    if (!record.host) record.host = host;
  }
  return out;
}

bool is_terminating(std::string_view text) {
  for (const std::string_view part :
       {"Terminating StepId=", "Terminating job step ", "Force Terminated ",
        "forcing job termination", "Job step aborted: ", "Terminating task"}) {
    if (contains(text, part)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::int64_t> parse_ranges(std::string_view text) {
  std::vector<std::int64_t> out;
  for (std::string_view part : split(text, ',')) {
    const auto low = parse_int(eat_digits(part));
    if (!low) return {};
    std::optional<std::int64_t> high = low;
    if (eat(part, "-")) high = parse_int(eat_digits(part));
    if (!high || !part.empty() || *high < *low) return {};
    for (std::int64_t n = *low; n <= *high && out.size() < kMaxExpanded; ++n) out.push_back(n);
  }
  return out;
}

std::vector<std::string> expand_hosts(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty() && out.size() < kMaxExpanded) {
    const std::size_t comma = list.find(',');
    const std::size_t open = list.find('[');
    const std::size_t close = list.find(']');
    if (open == std::string_view::npos || comma < open || close == std::string_view::npos ||
        close < open) {
      const std::string_view name = trim(list.substr(0, comma));
      if (!name.empty()) out.emplace_back(name);
      list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
      continue;
    }
    const std::string prefix(trim(list.substr(0, open)));
    for (const std::string_view part : split(list.substr(open + 1, close - open - 1), ',')) {
      const std::size_t width =
          part.find('-') == std::string_view::npos ? part.size() : part.find('-');
      for (const std::int64_t n : parse_ranges(part)) {
        if (out.size() >= kMaxExpanded) return out;
        std::string digits = std::to_string(n);
        if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
        out.push_back(prefix + digits);
      }
    }
    list.remove_prefix(close + 1);
    eat(list, ",");
  }
  return out;
}

std::vector<ExitRecord> read_slurm_line(std::string_view line) {
  if (line.starts_with("slurmstepd")) return read_stepd(line);
  std::string_view text = line;
  if (!eat(text, "srun: ") && !eat(text, "salloc: ") && !eat(text, "slurmd: ")) return {};
  if (is_terminating(text)) return {ExitRecord{"terminating"}};
  std::string_view rest = text;
  if (!eat(rest, "error: ")) return {};
  if (eat(rest, "Node failure on ")) {
    std::vector<ExitRecord> out;
    for (std::string& host : expand_hosts(trim(rest))) {
      ExitRecord record{"node-fail"};
      record.host = std::move(host);
      out.push_back(std::move(record));
    }
    return out;
  }
  if (contains(rest, " CANCELLED AT ")) return read_cancelled(rest);
  return read_task_line(rest);
}

}  // namespace tfpm
