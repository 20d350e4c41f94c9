// Kernel logs: dmesg in its time formats, /dev/kmsg, syslog and journald (log-formats.md 6.2, 9.6).
#include <memory>

#include "parsers/detail/json_text.h"
#include "parsers/detail/kernel_log.h"
#include "parsers/detail/kernel_prefix.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

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
std::optional<KernelMessage> parse_journal(std::string_view line) {
  if (!line.starts_with("{") || !contains(line, "__REALTIME_TIMESTAMP")) return std::nullopt;
  const JsonText json = parse_json_text(line);
  if (!json.value) return std::nullopt;
  const auto program = string_member(*json.value, "SYSLOG_IDENTIFIER");
  const auto transport = string_member(*json.value, "_TRANSPORT");
  if (program != "kernel" && transport != "kernel") return std::nullopt;
  KernelMessage message;
  message.text = journal_message(*json.value);
  message.host = string_member(*json.value, "_HOSTNAME").value_or("");
  if (const auto us = string_member(*json.value, "__REALTIME_TIMESTAMP")) {
    message.time_us = parse_int(*us);
  }
  return message;
}

// The message alone, with everything known of it; nullopt for lines that are no kernel
// message.
std::optional<KernelMessage> parse_message(std::string_view line) {
  if (auto journal = parse_journal(line)) return journal;
  const auto kernel = parse_kernel_line(line);
  if (!kernel) return std::nullopt;
  KernelMessage message;
  message.boot_us = kernel->boot_us;
  message.time_us = kernel->time_us;
  message.host = kernel->host;
  message.text = std::string(kernel->text);
  return message;
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
      if (parse_message(line.text)) {
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
    KernelLog log(owner_from_path(member.path), sink);
    LineReader lines(in);
    while (const auto line = lines.next()) {
      std::optional<KernelMessage> message = parse_message(line->text);
      if (!message) {
        log.add_continuation(line->text);
        continue;
      }
      message->line = line->number;
      message->byte_offset = line->offset;
      log.add(std::move(*message));
    }
    log.finish();
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_kernel_parser() {
  return std::make_unique<KernelParser>();
}

}  // namespace tfpm
