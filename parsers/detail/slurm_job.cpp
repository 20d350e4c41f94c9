#include "parsers/detail/slurm_job.h"

#include "parsers/detail/text.h"

namespace tfpm {

namespace {

struct Meaning {
  std::string_view state;
  std::string_view what;
};
constexpr Meaning kStates[] = {
    {"COMPLETED", "job-end"},   {"FAILED", "job-end"},      {"TIMEOUT", "time-limit"},
    {"DEADLINE", "time-limit"}, {"PREEMPTED", "preempted"}, {"NODE_FAIL", "node-fail"},
    {"BOOT_FAIL", "node-fail"}, {"OUT_OF_MEMORY", "oom"},   {"CANCELLED", "cancelled"}};

// sacct cuts states to its column: "OUT_OF_ME+", "CANCELLED+".
const Meaning* find_state(std::string_view state) {
  const std::string_view name = state.substr(0, state.find_first_of(" +"));
  const bool cut = contains(state, "+");
  for (const Meaning& meaning : kStates) {
    if (!name.empty() && (meaning.state == name || (cut && meaning.state.starts_with(name)))) {
      return &meaning;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<std::string_view> slurm_state_meaning(std::string_view state) {
  const Meaning* meaning = find_state(state);
  return meaning == nullptr ? std::nullopt : std::optional(meaning->what);
}

std::string_view slurm_state_name(std::string_view state) {
  const Meaning* meaning = find_state(state);
  return meaning == nullptr ? state : meaning->state;
}

void set_slurm_exit_code(ExitRecord& record, std::string_view pair) {
  const std::size_t colon = pair.find(':');
  if (colon == std::string_view::npos) return;
  const auto code = parse_int(pair.substr(0, colon));
  const auto signal = parse_int(pair.substr(colon + 1));
  if (!code || !signal) return;
  // 125 in the signal's place is Slurm's mark for out of memory, no signal.
  if (*signal > 0 && *signal != 125) {
    set_signal(record, *signal);
  } else if (*code > 0 || record.what == "job-end") {
    set_exit_code(record, *code);
  }
}

std::optional<std::string_view> slurm_value(std::string_view line, std::string_view key) {
  const std::string needle = std::string(key) + "=";
  for (std::size_t at = line.find(needle); at != std::string_view::npos;
       at = line.find(needle, at + 1)) {
    // "ExitCode" is also the end of "DerivedExitCode".
    if (at > 0 && !is_blank(line[at - 1])) continue;
    const std::string_view value = line.substr(at + needle.size());
    return value.substr(0, value.find_first_of(" \t"));
  }
  return std::nullopt;
}

}  // namespace tfpm
