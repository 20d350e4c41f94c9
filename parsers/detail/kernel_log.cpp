#include "parsers/detail/kernel_log.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kStoredText = 2000;
constexpr std::size_t kMaxPerKind = 2000;  // rows; a flood is one fact

}  // namespace

void KernelLog::emit(const KernelEvent& event, const KernelMessage& message) {
  if (++counts_[event.kind] > kMaxPerKind) return;
  sink_.add("kernel_event",
            {{"line", int_value(message.line)},
             {"byte_offset", int_value(message.byte_offset)},
             {"owner", optional_value(owner_)},
             {"kind", text_value(event.kind)},
             {"host", message.host.empty() ? null_value() : text_value(message.host)},
             {"pid", optional_value(event.pid)},
             {"comm", optional_value(event.comm)},
             {"constraint_", optional_value(event.constraint)},
             {"cgroup", optional_value(event.cgroup)},
             {"pci_bus", optional_value(event.pci_bus)},
             {"xid", optional_value(event.xid)},
             {"rss_kib", optional_value(event.rss_kib)},
             {"limit_kib", optional_value(event.limit_kib)},
             {"boot_us", optional_value(message.boot_us)},
             {"time_raw_us", optional_value(message.time_us)},
             {"text", text_value(clean_utf8(message.text, kStoredText))}});
}

void KernelLog::add(KernelMessage message) {
  last_ = std::move(message);
  const std::string_view text = trim(last_->text);
  for (const OomEvent& found : oom_.add(text, last_->line)) {
    emit(found.event, found.line == last_->line || !chosen_ ? *last_ : *chosen_);
  }
  if (text.starts_with("oom-kill:") || contains(text, "ut of memory: Kill process ")) {
    chosen_ = last_;
  }
  if (const auto event = parse_kernel_event(text)) emit(*event, *last_);
  if (const auto event = bus_loss_.add(text)) emit(*event, *last_);
}

void KernelLog::add_continuation(std::string_view line) {
  if (const auto event = bus_loss_.add(trim(line)); event && last_) emit(*event, *last_);
}

void KernelLog::finish() {
  if (chosen_) {
    for (const OomEvent& found : oom_.finish()) emit(found.event, *chosen_);
  }
  for (const auto& [kind, count] : counts_) {
    if (count <= kMaxPerKind) continue;
    sink_.problem({"kernel-flood", ProblemSeverity::kInfo, std::nullopt,
                   std::to_string(count) + " events of kind " + std::string(kind) + "; the first " +
                       std::to_string(kMaxPerKind) + " are kept"});
  }
}

}  // namespace tfpm
