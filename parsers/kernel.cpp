// Kernel logs: dmesg in its time formats, /dev/kmsg, syslog and journald (log-formats.md 6.2, 9.6).
#include <map>
#include <memory>

#include "parsers/detail/json_text.h"
#include "parsers/detail/kernel_bus_loss.h"
#include "parsers/detail/kernel_event.h"
#include "parsers/detail/kernel_oom.h"
#include "parsers/detail/kernel_prefix.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kStoredText = 2000;
constexpr std::size_t kMaxPerKind = 2000;  // rows; a flood is one fact

// Where a line stands; kept for events that a later line completes.
struct Place {
  std::uint64_t line = 0;
  std::uint64_t byte_offset = 0;
  std::optional<std::int64_t> boot_us;
  std::optional<std::int64_t> time_us;
  std::string host;
  std::string text;
};

class KernelRows {
 public:
  KernelRows(std::optional<std::string> owner, Sink& sink)
      : owner_(std::move(owner)), sink_(sink) {}

  void add(const KernelEvent& event, const Place& place) {
    if (++counts_[event.kind] > kMaxPerKind) return;
    sink_.add("kernel_event", {{"line", int_value(place.line)},
                               {"byte_offset", int_value(place.byte_offset)},
                               {"owner", optional_value(owner_)},
                               {"kind", text_value(event.kind)},
                               {"host", place.host.empty() ? null_value() : text_value(place.host)},
                               {"pid", optional_value(event.pid)},
                               {"comm", optional_value(event.comm)},
                               {"constraint_", optional_value(event.constraint)},
                               {"cgroup", optional_value(event.cgroup)},
                               {"pci_bus", optional_value(event.pci_bus)},
                               {"xid", optional_value(event.xid)},
                               {"rss_kib", optional_value(event.rss_kib)},
                               {"limit_kib", optional_value(event.limit_kib)},
                               {"boot_us", optional_value(place.boot_us)},
                               {"time_raw_us", optional_value(place.time_us)},
                               {"text", text_value(clean_utf8(place.text, kStoredText))}});
  }

  void report_floods() {
    for (const auto& [kind, count] : counts_) {
      if (count <= kMaxPerKind) continue;
      sink_.problem({"kernel-flood", ProblemSeverity::kInfo, std::nullopt,
                     std::to_string(count) + " events of kind " + std::string(kind) +
                         "; the first " + std::to_string(kMaxPerKind) + " are kept"});
    }
  }

 private:
  std::optional<std::string> owner_;
  Sink& sink_;
  std::map<std::string_view, std::size_t> counts_;
};

// MESSAGE of a journald object: text, or an array of byte values when it is no UTF-8.
std::string journal_message(const OrderedJson& object) {
  const OrderedJson* message = find_member(object, "MESSAGE");
  if (message == nullptr) return {};
  if (message->is_string()) return message->get<std::string>();
  std::string out;
  if (!message->is_array()) return out;
  for (const OrderedJson& byte : *message) {
    if (byte.is_number_integer()) out += static_cast<char>(byte.get<std::int64_t>());
  }
  return out;
}

// One line of `journalctl -o json`; nullopt when another program wrote it.
std::optional<Place> parse_journal(std::string_view line) {
  if (!line.starts_with("{") || !contains(line, "__REALTIME_TIMESTAMP")) return std::nullopt;
  const JsonText json = parse_json_text(line);
  if (!json.value) return std::nullopt;
  const auto program = string_member(*json.value, "SYSLOG_IDENTIFIER");
  const auto transport = string_member(*json.value, "_TRANSPORT");
  if (program != "kernel" && transport != "kernel") return std::nullopt;
  Place place;
  place.text = journal_message(*json.value);
  place.host = string_member(*json.value, "_HOSTNAME").value_or("");
  if (const auto us = string_member(*json.value, "__REALTIME_TIMESTAMP")) {
    place.time_us = parse_int(*us);
  }
  return place;
}

// The message alone, with everything known of its place; nullopt for lines that are no kernel
// message.
std::optional<Place> parse_place(std::string_view line) {
  if (auto journal = parse_journal(line)) return journal;
  const auto kernel = parse_kernel_line(line);
  if (!kernel) return std::nullopt;
  Place place;
  place.boot_us = kernel->boot_us;
  place.time_us = kernel->time_us;
  place.host = kernel->host;
  place.text = std::string(kernel->text);
  return place;
}

class KernelParser : public Parser {
 public:
  std::string_view name() const override { return "kernel"; }

  SniffScore sniff(const SniffInput& input) const override {
    std::size_t total = 0;
    std::size_t kernel = 0;
    std::size_t syslog = 0;
    for (const TextLine& line : split_lines({input.head.data(), input.head.size()}, 300)) {
      if (trim(line.text).empty() || (line.unterminated && !input.complete)) continue;
      ++total;
      if (parse_place(line.text)) {
        ++kernel;
      } else if (is_syslog_line(line.text) || contains(line.text, "__REALTIME_TIMESTAMP")) {
        ++syslog;
      }
    }
    if (kernel > 0 && kernel * 10 >= total * 6) return 85;
    // A host's syslog of all programs: nobody else reads it for its kernel lines.
    return kernel > 0 && (kernel + syslog) * 10 >= total * 9 ? 70 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    KernelRows rows(owner_from_path(member.path), sink);
    OomAssembler oom;
    BusLossAssembler bus_loss;
    std::optional<Place> chosen;  // line of a victim whose kill has not been seen yet
    std::optional<Place> last;    // of the last line with a prefix
    LineReader lines(in);
    const auto emit_oom = [&](const std::vector<OomEvent>& events, const Place& place) {
      for (const OomEvent& found : events) {
        rows.add(found.event, found.line == place.line || !chosen ? place : *chosen);
      }
    };
    while (const auto line = lines.next()) {
      std::optional<Place> place = parse_place(line->text);
      if (!place) {  // a message of several lines has its prefix on the first alone
        if (const auto event = bus_loss.add(trim(line->text)); event && last)
          rows.add(*event, *last);
        continue;
      }
      place->line = line->number;
      place->byte_offset = line->offset;
      last = place;
      const std::string_view text = trim(place->text);
      emit_oom(oom.add(text, line->number), *place);
      if (text.starts_with("oom-kill:") || contains(text, "ut of memory: Kill process ")) {
        chosen = place;
      }
      if (const auto event = parse_kernel_event(text)) rows.add(*event, *place);
      if (const auto event = bus_loss.add(text)) rows.add(*event, *place);
    }
    if (chosen) emit_oom(oom.finish(), *chosen);
    rows.report_floods();
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_kernel_parser() {
  return std::make_unique<KernelParser>();
}

}  // namespace tfpm
