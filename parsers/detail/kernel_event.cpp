#include "parsers/detail/kernel_event.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

using Event = std::optional<KernelEvent>;

KernelEvent event(std::string_view kind) {
  KernelEvent out;
  out.kind = kind;
  return out;
}

// "python3[4242]" at the front of `text`.
bool set_process(KernelEvent& out, std::string_view text) {
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return false;
  out.pid = parse_int(text.substr(open + 1, close - open - 1));
  out.comm = std::string(text.substr(0, open));
  return out.pid.has_value();
}

// "NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, name=python3, GPU has fallen off the bus."
Event parse_xid(std::string_view text) {
  const bool sxid = contains(text, "SXid (");
  const std::size_t at = text.find(sxid ? "SXid (" : "Xid (");
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(at + (sxid ? 6 : 5));
  eat(rest, "PCI:");
  KernelEvent out = event(sxid ? "sxid" : "xid");
  out.pci_bus = normalised_pci(rest.substr(0, rest.find_first_of(" )")));
  const std::size_t close = rest.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(close + 3);
  out.xid = parse_int(eat_digits(rest));
  if (!out.xid) return std::nullopt;
  if (auto pid = between(rest, "pid=", ",")) {
    while (!pid->empty() && pid->front() == '\'') pid->remove_prefix(1);
    while (!pid->empty() && pid->back() == '\'') pid->remove_suffix(1);
    out.pid = parse_int(*pid);
  }
  if (const auto name = between(rest, "name=", ","); name && !name->starts_with("<")) {
    out.comm = std::string(*name);
  }
  return out;
}

// "python3[4242]: segfault at 7f79.. ip .. in libnccl.so.2[..]",
// "traps: python3[4242] general protection fault ip:.."
Event parse_fault(std::string_view text) {
  if (contains(text, "]: segfault at ")) {
    KernelEvent out = event("segfault");
    return set_process(out, text) ? Event(out) : std::nullopt;
  }
  std::string_view rest = text;
  if (!eat(rest, "traps: ")) return std::nullopt;
  KernelEvent out = event("trap");
  return set_process(out, rest) ? Event(out) : std::nullopt;
}

// "python3:4242" inside "[...]" or "task ... blocked".
bool set_colon_process(KernelEvent& out, std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  out.comm = std::string(text.substr(0, colon));
  out.pid = parse_int(text.substr(colon + 1));
  return out.pid.has_value();
}

Event parse_stuck(std::string_view text) {
  if (contains(text, " blocked for more than ")) {
    KernelEvent out = event("hung-task");
    const auto task = between(text, "task ", " blocked for more than ");
    if (task) set_colon_process(out, *task);
    return out;
  }
  const bool lockup = contains(text, "soft lockup - CPU#") || contains(text, "hard LOCKUP on cpu");
  if (lockup) {
    KernelEvent out = event("soft-lockup");
    if (const auto task = between(text, "[", "]")) set_colon_process(out, *task);
    return out;
  }
  return std::nullopt;
}

// Lines told by a literal alone.
struct Literal {
  std::string_view kind;
  std::string_view part;
};
constexpr Literal kLiterals[] = {{"io-error", "I/O error"},
                                 {"io-error", "EXT4-fs error"},
                                 {"io-error", "critical medium error"},
                                 {"io-error", "Remounting filesystem read-only"},
                                 {"nfs", " not responding"},
                                 {"nfs", "nfs: server "},
                                 {"link-down", "NIC Link is Down"},
                                 {"link-down", ": Link down"},
                                 {"link-down", ": link down"},
                                 {"link-down", "link status definitely down"},
                                 {"link-down", "NETDEV WATCHDOG"},
                                 {"mce", "[Hardware Error]"},
                                 {"mce", "EDAC MC"},
                                 {"soft-lockup", "self-detected stall on CPU"},
                                 {"soft-lockup", "detected stalls on CPUs"}};

bool literal_applies(const Literal& literal, std::string_view text) {
  if (!contains(text, literal.part)) return false;
  if (literal.part == " not responding") return contains(text, "nfs") || contains(text, "lustre");
  // "EDAC MC: Ver: 3.0.0" and "Giving out device" are start-up lines.
  if (literal.part == "EDAC MC") return contains(text, " UE ") || contains(text, " CE ");
  return true;
}

// The last PCI address among the words of a message.
std::optional<std::string> pci_in(std::string_view text) {
  std::optional<std::string> out;
  for (const std::string_view word : split_blanks(text)) {
    const auto pci = normalised_pci(word.ends_with(":") ? word.substr(0, word.size() - 1) : word);
    if (pci) out = pci;
  }
  return out;
}

// "NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.": the sentence of Xid 79 without its number.
Event parse_off_bus(std::string_view text) {
  if (!contains(text, "has fallen off the bus")) return std::nullopt;
  KernelEvent out = event("xid");
  out.xid = 79;
  out.pci_bus = pci_in(text);
  return out;
}

// "nvidia 0000:3b:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0024 address=...]" and
// "DMAR: [DMA Read NO_PASID] Request device [3b:00.0] fault addr ...": copies that were refused.
Event parse_iommu(std::string_view text) {
  if (!contains(text, "[IO_PAGE_FAULT ") && !contains(text, "DMAR: [DMA ")) return std::nullopt;
  KernelEvent out = event("iommu-fault");
  out.pci_bus = pci_in(text);
  return out;
}

}  // namespace

std::optional<std::string> normalised_pci(std::string_view text) {
  const std::string lower = to_lower(text);
  std::string_view s = lower;
  eat(s, "pci:");
  const auto eat_hex = [&s](std::size_t min, std::size_t max) {
    std::size_t n = 0;
    while (n < s.size() && (is_digit(s[n]) || (s[n] >= 'a' && s[n] <= 'f'))) ++n;
    const std::string_view digits = n >= min && n <= max ? s.substr(0, n) : std::string_view();
    s.remove_prefix(digits.size());
    return digits;
  };
  const std::string_view domain = eat_hex(4, 8);
  if (domain.empty() || !eat(s, ":")) return std::nullopt;
  const std::string_view bus = eat_hex(2, 2);
  if (bus.empty() || !eat(s, ":")) return std::nullopt;
  const std::string_view device = eat_hex(2, 2);
  if (device.empty()) return std::nullopt;
  std::string_view function = "0";
  if (eat(s, ".")) function = eat_hex(1, 1);
  if (!s.empty() || function.empty()) return std::nullopt;
  std::string out(8 - domain.size(), '0');
  out.append(domain).append(":").append(bus).append(":").append(device).append(".");
  return out.append(function);
}

std::optional<KernelEvent> parse_kernel_event(std::string_view text) {
  if (auto xid = parse_xid(text)) return xid;
  if (auto off = parse_off_bus(text)) return off;
  if (auto iommu = parse_iommu(text)) return iommu;
  if (auto fault = parse_fault(text)) return fault;
  if (auto stuck = parse_stuck(text)) return stuck;
  for (const Literal& literal : kLiterals) {
    if (literal_applies(literal, text)) return event(literal.kind);
  }
  return std::nullopt;
}

}  // namespace tfpm
