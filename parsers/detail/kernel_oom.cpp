#include "parsers/detail/kernel_oom.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxVictims = 10'000;

// Value of ",key=" or ":key=" up to the next comma.
std::optional<std::string> list_value(std::string_view text, std::string_view key) {
  for (const char before : {',', ':'}) {
    const std::size_t at = text.find(std::string(1, before).append(key).append("="));
    if (at == std::string_view::npos) continue;
    const std::string_view value = text.substr(at + key.size() + 2);
    return std::string(value.substr(0, value.find(',')));
  }
  return std::nullopt;
}

// "anon-rss:32391804kB" after `key`.
std::optional<std::int64_t> kib_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(at + key.size());
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  const auto value = parse_int(eat_digits(rest));
  return rest.starts_with("kB") ? value : std::nullopt;
}

// "40871 (python3)", "123, UID 48, (httpd)": comm from the first '(' to the last ')', for it may
// hold both; what follows the name are key:value pairs without parentheses.
bool read_victim(std::string_view rest, KernelEvent& event) {
  event.pid = parse_int(eat_digits(rest));
  const std::size_t open = rest.find('(');
  const std::size_t close = rest.rfind(')');
  if (!event.pid) return false;
  if (open != std::string_view::npos && close != std::string_view::npos && close > open) {
    event.comm = std::string(rest.substr(open + 1, close - open - 1));
  }
  return true;
}

std::optional<std::string> constraint_name(std::string_view value) {
  if (value == "CONSTRAINT_MEMCG") return "memcg";
  if (value == "CONSTRAINT_NONE") return "none";
  if (value == "CONSTRAINT_CPUSET") return "cpuset";
  if (value == "CONSTRAINT_MEMORY_POLICY") return "memory-policy";
  return std::nullopt;
}

}  // namespace

void OomAssembler::read_context(std::string_view text) {
  // No limit is printed as the largest number of pages in kB.
  constexpr std::int64_t kNoLimit = 9'007'199'254'740'988;
  if (text.starts_with("memory: usage ")) {
    const auto limit = kib_after(text, "limit ");
    if (limit && *limit < kNoLimit) block_.limit_kib = limit;
  } else if (text.starts_with("Memory cgroup stats for ")) {
    std::string_view path = text.substr(24);
    block_.cgroup = std::string(path.substr(0, path.find(':')));
  } else if (contains(text, " killed as a result of limit of ")) {
    if (const auto path = between(text, "Task in ", " killed")) block_.cgroup = std::string(*path);
    block_.constraint = "memcg";
  }
}

// "oom-kill:constraint=..." and old kernels' "Kill process N (x) score M or sacrifice child".
bool OomAssembler::read_choice(std::string_view text, std::uint64_t line) {
  KernelEvent event = block_;
  event.kind = "oom-kill";
  if (text.starts_with("oom-kill:constraint=")) {
    if (const auto value = list_value(text, "constraint")) {
      event.constraint = constraint_name(*value);
    }
    if (const auto group = list_value(text, "task_memcg")) event.cgroup = group;
    event.comm = list_value(text, "task");
    if (const auto pid = list_value(text, "pid")) event.pid = parse_int(*pid);
  } else {
    const std::size_t at = text.find("ut of memory: Kill process ");
    if (at == std::string_view::npos) return false;
    std::string_view rest = text.substr(at + 27);
    rest = rest.substr(0, rest.find(" score "));
    if (!read_victim(rest, event)) return false;
    if (!event.constraint) event.constraint = contains(text, "cgroup") ? "memcg" : "none";
  }
  block_.constraint = event.constraint;
  block_.cgroup = event.cgroup;
  chosen_ = OomEvent{event, line};
  return true;
}

// "[Memory cgroup o|O]ut of memory: Killed process 40871 (python3) total-vm:.., anon-rss:..",
// old kernels' second line "Killed process 40871 (python) ...", "oom_reaper: reaped process N".
std::optional<KernelEvent> OomAssembler::read_kill(std::string_view text) {
  std::size_t at = text.find("Killed process ");
  std::size_t skip = 15;
  if (at == std::string_view::npos && text.starts_with("oom_reaper: reaped process ")) {
    at = 0;
    skip = 27;
  }
  if (at == std::string_view::npos) return std::nullopt;
  KernelEvent event;
  if (!read_victim(text.substr(at + skip), event)) return std::nullopt;
  // What the block said is about the victim it chose; further victims of a group kill and lines
  // without a block speak for themselves.
  if (chosen_ && chosen_->event.pid == event.pid) {
    KernelEvent chosen = chosen_->event;
    if (event.comm) chosen.comm = event.comm;
    event = chosen;
    chosen_.reset();
  }
  event.kind = "oom-kill";
  if (contains(text, "emory cgroup out of memory")) event.constraint = "memcg";
  if (!event.constraint && contains(text, "Out of memory")) event.constraint = "none";
  if (skip == 15) event.rss_kib = kib_after(text, "anon-rss:");
  return event;
}

std::vector<OomEvent> OomAssembler::add(std::string_view text, std::uint64_t line) {
  std::vector<OomEvent> out;
  if (const std::size_t at = text.find(" invoked oom-killer:"); at != std::string_view::npos) {
    out = finish();
    block_ = KernelEvent();
    KernelEvent event;
    event.kind = "oom-invoked";
    event.comm = std::string(text.substr(0, at));
    out.push_back({event, line});
    return out;
  }
  if (std::optional<KernelEvent> kill = read_kill(text)) {
    out = finish();  // another victim than the one chosen
    block_ = KernelEvent();
    const bool known = victims_.count(*kill->pid) > 0;
    if (victims_.size() < kMaxVictims) victims_.insert(*kill->pid);
    // The reaper repeats a kill; it counts only when the kill itself is not in the log.
    if (!known || !text.starts_with("oom_reaper")) out.push_back({*kill, line});
    return out;
  }
  if (text.starts_with("oom-kill:") || contains(text, "ut of memory: Kill process ")) {
    out = finish();
    read_choice(text, line);
    return out;
  }
  read_context(text);
  return out;
}

std::vector<OomEvent> OomAssembler::finish() {
  std::vector<OomEvent> out;
  if (chosen_ && (chosen_->event.pid || chosen_->event.constraint)) {
    if (chosen_->event.pid && victims_.size() < kMaxVictims) victims_.insert(*chosen_->event.pid);
    out.push_back(*chosen_);
  }
  chosen_.reset();
  return out;
}

}  // namespace tfpm
