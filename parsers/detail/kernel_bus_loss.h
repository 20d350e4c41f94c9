// A GPU that fell off the bus, as drivers since 550 say it: one sentence over three messages and no
// Xid number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/detail/kernel_event.h"

namespace tfpm {

//   NVRM: The NVIDIA GPU 0000:b3:00.0
//                  NVRM: (PCI ID: 10de:26b5) installed in this system has
//                  NVRM: fallen off the bus and is not responding to commands.
class BusLossAssembler {
 public:
  // The event (kind 'xid', number 79, which older drivers print for it) when `text` completes the
  // sentence. `text` is a kernel message without its prefix.
  std::optional<KernelEvent> add(std::string_view text);

 private:
  std::optional<std::string> pci_;
  int messages_left_ = 0;  // other messages may come between, but not many
};

}  // namespace tfpm
