// journald's export format (`journalctl -o export`): blocks of fields with an empty line between
// them; a field that is no plain text is a name, a 64-bit length and so many bytes
// (log-formats.md 6.2).
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "parsers/detail/kernel_log.h"
#include "parsers/detail/log_export.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxValue = std::size_t{1} << 20;  // what is kept of one field
// journald itself refuses larger ones (DATA_SIZE_MAX).
constexpr std::uint64_t kMaxLength = std::uint64_t{768} << 20;
constexpr std::size_t kLengthBytes = 8;

// Bytes of a stream one after another, with what is needed of them kept.
class ByteReader {
 public:
  explicit ByteReader(ByteStream& in) : in_(in), buffer_(std::size_t{64} << 10) {}

  // Appends up to kMaxValue bytes of the rest of the line to `out`; false at the end of the stream
  // before a line end.
  bool line(std::string& out) {
    while (at_ < size_ || fill()) {
      const std::string_view rest(buffer_.data() + at_, size_ - at_);
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      keep(rest.substr(0, end), out);
      at_ += end;
      if (end == rest.size()) continue;
      ++at_;
      ++lines_;
      return true;
    }
    return false;
  }
  // The same for `count` bytes; false when the stream ends before.
  bool bytes(std::uint64_t count, std::string& out) {
    while (count > 0 && (at_ < size_ || fill())) {
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(count, size_ - at_));
      keep({buffer_.data() + at_, n}, out);
      at_ += n;
      count -= n;
    }
    return count == 0;
  }
  bool at_end() { return at_ == size_ && !fill(); }
  std::uint64_t offset() const { return base_ + at_; }
  std::uint64_t lines() const { return lines_; }
  const Status& status() const { return status_; }

 private:
  static void keep(std::string_view part, std::string& out) {
    out.append(part.substr(0, kMaxValue - std::min(kMaxValue, out.size())));
  }
  bool fill() {
    base_ += size_;
    at_ = size_ = 0;
    const Result<std::size_t> got = in_.read(buffer_);
    if (got.ok()) {
      size_ = *got;
    } else {
      status_ = got.status();
    }
    return size_ > 0;
  }

  ByteStream& in_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, size_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t lines_ = 0;  // line ends outside of binary fields
  Status status_;
};

// The fields of a block that are wanted.
struct Block {
  std::uint64_t line = 0, offset = 0;
  std::string message, host, program, pod, container;
  std::optional<std::int64_t> time_us, boot_us;
  bool kernel = false;
  bool has_message = false;

  void set(std::string_view name, std::string_view value) {
    if (name == "MESSAGE") {
      message = value;
      has_message = true;
    } else if (name == "__REALTIME_TIMESTAMP") {
      time_us = parse_int(value);
    } else if (name == "__MONOTONIC_TIMESTAMP") {
      boot_us = parse_int(value);
    } else if (name == "_HOSTNAME") {
      host = value;
    } else if (name == "SYSLOG_IDENTIFIER") {
      program = value;
      kernel |= value == "kernel";
    } else if (name == "_TRANSPORT") {
      kernel |= value == "kernel";
    } else if (name == "CONTAINER_NAME") {
      set_container(value);
    }
  }

 private:
  // Docker's driver names a pod's container k8s_CONTAINER_POD_NAMESPACE_UID_N.
  void set_container(std::string_view value) {
    const std::vector<std::string_view> parts = split(value, '_');
    const bool kubernetes = parts.size() >= 5 && parts[0] == "k8s";
    container = kubernetes ? parts[1] : value;
    if (kubernetes) pod = parts[2];
  }
};

class JournalReader {
 public:
  JournalReader(const MemberInfo& member, ByteStream& in, Sink& sink)
      : in_(in), sink_(sink), kernel_(owner_from_path(member.path), sink), log_(sink) {}

  Status read() {
    std::string line;
    while (!in_.at_end()) {
      const std::uint64_t offset = in_.offset();
      const std::uint64_t number = in_.lines() + 1;
      line.clear();
      const bool whole = in_.line(line);
      if (line.empty()) {
        finish_block();
      } else {
        if (!open_) begin_block(number, offset);
        if (!add_field(line, offset)) break;
        if (!whole) report_cut(offset);
      }
    }
    finish_block();
    kernel_.finish();
    log_.finish();
    if (bad_lines_ > 0) {
      sink_.problem({"journal-line", ProblemSeverity::kNotice, first_bad_,
                     std::to_string(bad_lines_) + " lines are no field of a journal's record"});
    }
    return in_.status();
  }

 private:
  static bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= 64 && !is_digit(text[0]) &&
           text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
               std::string_view::npos;
  }

  void begin_block(std::uint64_t line, std::uint64_t offset) {
    block_ = {};
    block_.line = line;
    block_.offset = offset;
    open_ = true;
  }

  // False when nothing behind it can be read.
  bool add_field(std::string_view line, std::uint64_t offset) {
    const std::size_t equals = line.find('=');
    const std::string_view name = line.substr(0, equals);
    if (!is_name(name)) {
      if (bad_lines_++ == 0) first_bad_ = offset;
      return true;
    }
    if (equals != std::string_view::npos) {
      block_.set(name, line.substr(equals + 1));
      return true;
    }
    return add_binary(name, offset);
  }

  bool add_binary(std::string_view name, std::uint64_t offset) {
    std::string text;
    if (!in_.bytes(kLengthBytes, text)) return report_cut(offset);
    std::uint64_t length = 0;
    for (std::size_t i = kLengthBytes; i-- > 0;) {
      length = length << 8 | static_cast<unsigned char>(text[i]);
    }
    if (length > kMaxLength) {
      sink_.problem({"journal-field-length", ProblemSeverity::kDataLoss, offset,
                     "a binary field says that it has " + std::to_string(length) +
                         " bytes, more than journald writes; reading goes on at the next line"});
      return true;
    }
    text.clear();
    const bool whole = in_.bytes(length, text);
    block_.set(name, text);
    if (!whole) return report_cut(offset);
    // The line end behind the bytes.
    text.clear();
    in_.line(text);
    return true;
  }

  bool report_cut(std::uint64_t offset) {
    sink_.problem({"journal-cut", ProblemSeverity::kDataLoss, offset,
                   "the export ends inside a field: the file was cut; the records before it were "
                   "read"});
    return false;
  }

  void finish_block() {
    if (!std::exchange(open_, false) || !block_.has_message) return;
    if (block_.kernel) {
      kernel_.add({block_.line, block_.offset, block_.boot_us, block_.time_us, block_.host,
                   block_.message});
      return;
    }
    log_.add({block_.message, block_.time_us, true, block_.pod,
              block_.container.empty() ? block_.program : block_.container, block_.host});
  }

  ByteReader in_;
  Sink& sink_;
  KernelLog kernel_;
  LogExport log_;
  Block block_;
  bool open_ = false;
  std::uint64_t bad_lines_ = 0, first_bad_ = 0;
};

class JournalExportParser : public Parser {
 public:
  std::string_view name() const override { return "journal-export"; }

  SniffScore sniff(const SniffInput& input) const override {
    std::string_view head(input.head.data(), input.head.size());
    const std::string_view first = head.substr(0, head.find('\n'));
    if (first.starts_with("__CURSOR=")) return 88;
    const bool field = first.starts_with("__") || first.starts_with("_BOOT_ID=");
    return field && contains(first, "=") && contains(head, "\n__REALTIME_TIMESTAMP=") ? 86 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    return JournalReader(member, in, sink).read();
  }
};

}  // namespace

std::unique_ptr<Parser> make_journal_export_parser() {
  return std::make_unique<JournalExportParser>();
}

}  // namespace tfpm
