// Kernel messages that matter to a post-mortem (log-formats.md 6.2, 9.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

// Values as in schema `kernel_event`; absent = not said.
struct KernelEvent {
  std::string_view kind;  // a string literal
  std::optional<std::int64_t> pid;
  std::optional<std::string> comm;
  std::optional<std::string> constraint;
  std::optional<std::string> cgroup;
  std::optional<std::string> pci_bus;  // as nvidia-smi writes it, lower case: '00000000:3b:00.0'
  std::optional<std::int64_t> xid;
  std::optional<std::int64_t> rss_kib;
  std::optional<std::int64_t> limit_kib;
};

// Events that are one line each; out-of-memory blocks are kernel_oom.h's.
std::optional<KernelEvent> parse_kernel_event(std::string_view text);

// "0000:3B:00", "00000000:3B:00.0" to '00000000:3b:00.0'; nullopt when it is no PCI address.
std::optional<std::string> normalised_pci(std::string_view text);

}  // namespace tfpm
