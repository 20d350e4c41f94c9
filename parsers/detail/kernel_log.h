// Kernel messages to rows of `kernel_event`, whatever brought them: a kernel log, a journal.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/detail/kernel_bus_loss.h"
#include "parsers/detail/kernel_event.h"
#include "parsers/detail/kernel_oom.h"
#include "parsers/parser.h"

namespace tfpm {

// One message and where it stands.
struct KernelMessage {
  std::uint64_t line = 0;
  std::uint64_t byte_offset = 0;
  std::optional<std::int64_t> boot_us;
  std::optional<std::int64_t> time_us;
  std::string host;  // empty = not said
  std::string text;
};

// Feed the messages of one source in their order.
class KernelLog {
 public:
  // `owner`: whom the source is named after. The sink must outlive the log.
  KernelLog(std::optional<std::string> owner, Sink& sink) : owner_(std::move(owner)), sink_(sink) {}

  void add(KernelMessage message);
  // A further line of the last message: it has its prefix on the first alone.
  void add_continuation(std::string_view line);
  // Call once, at the end.
  void finish();

 private:
  void emit(const KernelEvent& event, const KernelMessage& message);

  std::optional<std::string> owner_;
  Sink& sink_;
  std::map<std::string_view, std::size_t> counts_;
  OomAssembler oom_;
  BusLossAssembler bus_loss_;
  std::optional<KernelMessage> chosen_;  // names a victim whose kill has not been seen yet
  std::optional<KernelMessage> last_;
};

}  // namespace tfpm
