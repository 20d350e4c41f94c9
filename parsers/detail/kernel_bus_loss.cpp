#include "parsers/detail/kernel_bus_loss.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr int kMaxMessages = 8;
constexpr std::int64_t kOffBusXid = 79;

}  // namespace

std::optional<KernelEvent> BusLossAssembler::add(std::string_view text) {
  constexpr std::string_view kBegin = "NVRM: The NVIDIA GPU ";
  if (const std::size_t at = text.find(kBegin); at != std::string_view::npos) {
    std::string_view rest = text.substr(at + kBegin.size());
    pci_ = normalised_pci(eat_token(rest));
    messages_left_ = kMaxMessages;
  }
  if (messages_left_-- <= 0 || !contains(text, "NVRM")) return std::nullopt;
  if (!contains(text, "fallen off the bus and is not responding")) return std::nullopt;
  messages_left_ = 0;
  KernelEvent out;
  out.kind = "xid";
  out.xid = kOffBusXid;
  out.pci_bus = pci_;
  return out;
}

}  // namespace tfpm
