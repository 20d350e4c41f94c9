#include "parsers/detail/owner.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::array<std::string_view, 6> kTaskTypes = {"chief", "master",    "worker",
                                                        "ps",    "evaluator", "rank"};
constexpr std::string_view kKindWords[] = {"dmesg",        "kmsg",
                                           "kernel",       "kern",
                                           "journal",      "journalctl",
                                           "syslog",       "messages",
                                           "pip",          "freeze",
                                           "list",         "conda",
                                           "env",          "environ",
                                           "environment",  "printenv",
                                           "nvidia",       "smi",
                                           "gpu",          "gpus",
                                           "dmon",         "pmon",
                                           "query",        "tf",
                                           "config",       "tfconfig",
                                           "py",           "spy",
                                           "pyspy",        "stack",
                                           "stacks",       "gdb",
                                           "bt",           "backtrace",
                                           "faulthandler", "process",
                                           "processes",    "json",
                                           "txt",          "log",
                                           "out",          "err",
                                           "logs",         "dump",
                                           "dumps",        "ps",
                                           "ibstat",       "ibv",
                                           "devinfo",      "perfquery",
                                           "ip",           "link",
                                           "links",        "ethtool",
                                           "ifconfig",     "ss",
                                           "netstat",      "nstat",
                                           "iftop",        "dcgm",
                                           "dcgmi",        "diag",
                                           "health",       "prom",
                                           "metrics",      "nvlink",
                                           "topo",         "free",
                                           "df",           "meminfo",
                                           "vmstat",       "uptime",
                                           "fabric",       "fabricmanager",
                                           "network",      "net"};

bool is_kind_word(std::string_view word) {
  return std::find(std::begin(kKindWords), std::end(kKindWords), to_lower(word)) !=
         std::end(kKindWords);
}

bool is_separator(char c) {
  return c == '-' || c == '_' || c == '.';
}

// The component without trailing words that only say what kind of file it is; empty = nothing left.
std::string_view name_in(std::string_view part) {
  // Leading and trailing kind words fall away: "dmesg-gpu-n2.txt", "gpu-n2.dmesg.txt".
  while (!part.empty()) {
    std::size_t at = part.size();
    while (at > 0 && !is_separator(part[at - 1])) --at;
    if (!part.substr(at).empty() && !is_kind_word(part.substr(at))) break;
    part = part.substr(0, at > 0 ? at - 1 : 0);
  }
  while (!part.empty()) {
    std::size_t n = 0;
    while (n < part.size() && !is_separator(part[n])) ++n;
    // "gpu" in front of a number is part of a host's name, not the word for what was captured.
    if (!is_kind_word(part.substr(0, n)) || part.substr(0, n) == "gpu") break;
    part = n < part.size() ? part.substr(n + 1) : std::string_view();
  }
  return part;
}

// Machines are numbered; a name without a digit ("final", "notes") is a word.
bool looks_like_host(std::string_view name) {
  constexpr std::size_t kMaxHost = 40;
  const auto allowed = [](char c) { return is_word(c) || c == '-' || c == '.'; };
  return name.size() <= kMaxHost && std::any_of(name.begin(), name.end(), is_digit) &&
         std::all_of(name.begin(), name.end(), allowed);
}

}  // namespace

std::optional<std::string> task_from_name(std::string_view name) {
  const std::string lower = to_lower(name);
  const std::string_view text = lower;
  for (const std::string_view type : kTaskTypes) {
    for (std::size_t at = text.find(type); at != std::string_view::npos;
         at = text.find(type, at + 1)) {
      if (at > 0 && !is_separator(text[at - 1])) continue;
      std::string_view rest = text.substr(at + type.size());
      if (!rest.empty() && (rest[0] == '-' || rest[0] == '_')) rest.remove_prefix(1);
      const std::string_view digits = eat_digits(rest);
      if (digits.empty() || digits.size() > 9 || (!rest.empty() && !is_separator(rest[0]))) {
        continue;
      }
      return std::string(type) + "-" + std::to_string(*parse_int(digits));
    }
  }
  return std::nullopt;
}

std::optional<std::string> owner_from_path(std::string_view path) {
  // The file's own name first, then its folder: a task in either wins over a host in the other.
  const std::size_t slash = path.rfind('/');
  const std::string_view file = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
  std::string_view folder;
  if (slash != std::string_view::npos) {
    const std::string_view dirs = path.substr(0, slash);
    const std::size_t up = dirs.rfind('/');
    folder = dirs.substr(up == std::string_view::npos ? 0 : up + 1);
  }
  if (auto task = task_from_name(file)) return task;
  if (auto task = task_from_name(folder)) return task;
  for (const std::string_view part : {file, folder}) {
    const std::string_view name = name_in(part);
    if (looks_like_host(name)) return std::string(name);
  }
  return std::nullopt;
}

}  // namespace tfpm
