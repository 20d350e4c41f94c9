// What stands before the text of a kernel message: time, host, level (log-formats.md 6.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

enum class KernelDialect {
  kDmesg,    // dmesg in any time format, /dev/kmsg
  kSyslog,   // syslog or journald lines whose program is the kernel
  kJournal,  // journald JSON
};

struct KernelLine {
  KernelDialect dialect = KernelDialect::kDmesg;
  std::optional<std::int64_t> boot_us;  // microseconds since boot
  std::optional<std::int64_t> time_us;  // wall clock as written; absent without year
  std::string host;                     // empty = not said
  std::string_view text;                // the message
};

// nullopt when the line is no kernel message: a continuation, another program's line.
std::optional<KernelLine> parse_kernel_line(std::string_view line);

// A line of syslog or `journalctl -o short*` of any program ("Mar  5 14:05:42 HOST IDENT[PID]: ").
bool is_syslog_line(std::string_view line);

}  // namespace tfpm
