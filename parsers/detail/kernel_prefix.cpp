#include "parsers/detail/kernel_prefix.h"

#include <array>

#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"

namespace tfpm {
namespace {

// "[12345.678901] " and the caller id that may follow, "[ T4242] ".
bool eat_boot_stamp(std::string_view& text, std::optional<std::int64_t>& boot_us) {
  std::string_view s = text;
  if (!eat(s, "[")) return false;
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  const auto seconds = parse_int(eat_digits(s));
  if (!seconds || *seconds > 4'000'000'000 || !eat(s, ".")) return false;
  const std::string_view fraction = eat_digits(s);
  if (fraction.size() != 6 || !eat(s, "]")) return false;
  boot_us = *seconds * 1'000'000 + *parse_int(fraction);
  std::string_view caller = s;
  while (!caller.empty() && caller.front() == ' ') caller.remove_prefix(1);
  if (eat(caller, "[")) {
    while (!caller.empty() && caller.front() == ' ') caller.remove_prefix(1);
    if ((eat(caller, "T") || eat(caller, "C")) && !eat_digits(caller).empty() && eat(caller, "]")) {
      s = caller;
    }
  }
  eat(s, " ");
  text = s;
  return true;
}

// "[Thu Mar  5 14:05:42 2026] ".
bool eat_ctime_stamp(std::string_view& text, std::optional<std::int64_t>& time_us) {
  std::string_view s = text;
  if (!eat(s, "[")) return false;
  const auto stamp = leading_asctime(s);
  if (!stamp) return false;
  s.remove_prefix(stamp->length);
  if (!eat(s, "]")) return false;
  eat(s, " ");
  time_us = stamp->time_us;
  text = s;
  return true;
}

// "2026-03-05T14:05:42,123456+00:00 ": dmesg's comma, which nobody else writes with a zone.
bool eat_dmesg_iso(std::string_view& text, std::optional<std::int64_t>& time_us) {
  const auto stamp = leading_iso_time(text);
  if (!stamp || !stamp->zoned || text.size() < 20 || text[19] != ',') return false;
  std::string_view s = text.substr(stamp->length);
  if (!eat(s, " ")) return false;
  time_us = stamp->time_us;
  text = s;
  return true;
}

// "kern  :warn  : ".
void eat_decoded_level(std::string_view& text) {
  const std::size_t first = text.find(':');
  if (first == std::string_view::npos || first > 10) return;
  const std::size_t second = text.find(": ", first + 1);
  if (second == std::string_view::npos || second > first + 10) return;
  const std::string_view facility = trim(text.substr(0, first));
  if (facility != "kern" && facility != "user" && facility != "daemon" && facility != "syslog") {
    return;
  }
  text.remove_prefix(second + 2);
}

// /dev/kmsg: "6,3964,206764307,-;text" (priority, sequence, microseconds since boot, flags).
std::optional<KernelLine> parse_kmsg(std::string_view line) {
  std::string_view s = line;
  if (eat_digits(s).empty() || !eat(s, ",") || eat_digits(s).empty() || !eat(s, ",")) {
    return std::nullopt;
  }
  KernelLine out;
  out.boot_us = parse_int(eat_digits(s));
  const std::size_t semicolon = s.find(';');
  if (!out.boot_us || !s.starts_with(",") || semicolon == std::string_view::npos ||
      semicolon > 30) {
    return std::nullopt;
  }
  out.text = s.substr(semicolon + 1);
  return out;
}

struct SyslogLine {
  std::optional<std::int64_t> time_us;
  std::string_view host;
  std::string_view program;
  std::string_view text;
};

// "Mar  5 14:05:42" (no year, so no time).
bool eat_bsd_stamp(std::string_view& text) {
  static constexpr std::array<std::string_view, 12> kMonths = {"Jan ", "Feb ", "Mar ", "Apr ",
                                                               "May ", "Jun ", "Jul ", "Aug ",
                                                               "Sep ", "Oct ", "Nov ", "Dec "};
  std::string_view s = text;
  bool month = false;
  for (const std::string_view name : kMonths) month = month || eat(s, name);
  if (!month) return false;
  eat(s, " ");
  if (eat_digits(s).empty() || !eat(s, " ")) return false;
  if (s.size() < 9 || s[2] != ':' || s[5] != ':') return false;
  text = s.substr(8);
  if (eat(text, ".")) eat_digits(text);
  return true;
}

std::optional<SyslogLine> parse_syslog(std::string_view line) {
  SyslogLine out;
  std::string_view s = line;
  if (const auto stamp = leading_iso_time(s); stamp && stamp->zoned) {
    out.time_us = stamp->time_us;
    s.remove_prefix(stamp->length);
  } else if (!eat_bsd_stamp(s)) {
    return std::nullopt;
  }
  if (!eat(s, " ")) return std::nullopt;
  out.host = eat_token(s);
  out.program = eat_token(s);
  if (out.host.empty() || out.program.size() < 2 || out.program.back() != ':') return std::nullopt;
  out.program.remove_suffix(1);
  eat(s, " ");
  out.text = s;
  return out;
}

}  // namespace

bool is_syslog_line(std::string_view line) {
  return parse_syslog(line).has_value();
}

std::optional<KernelLine> parse_kernel_line(std::string_view line) {
  if (line.empty()) return std::nullopt;
  if (is_digit(line[0])) {
    if (auto kmsg = parse_kmsg(line)) return kmsg;
  }
  KernelLine out;
  std::string_view text = line;
  eat_decoded_level(text);
  if (eat_boot_stamp(text, out.boot_us) || eat_ctime_stamp(text, out.time_us) ||
      eat_dmesg_iso(text, out.time_us)) {
    out.text = text;
    return out;
  }
  const auto syslog = parse_syslog(line);
  if (!syslog || syslog->program != "kernel") return std::nullopt;
  out.dialect = KernelDialect::kSyslog;
  out.time_us = syslog->time_us;
  out.host = std::string(syslog->host);
  out.text = syslog->text;
  eat_boot_stamp(out.text, out.boot_us);
  return out;
}

}  // namespace tfpm
