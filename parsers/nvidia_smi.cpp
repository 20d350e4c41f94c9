// nvidia-smi in files of its own: tables, -q, CSV queries, dmon, pmon, captures of several commands
// (log-formats.md 9). Output inside a training log belongs to the log reader.
#include <algorithm>
#include <memory>

#include "parsers/detail/line_reader.h"
#include "parsers/detail/null_sink.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/smi_reader.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

class NvidiaSmiParser : public Parser {
 public:
  std::string_view name() const override { return "nvidia-smi"; }

  // Nearly every line must be nvidia-smi's own: job scripts run it before the training starts, and
  // their logs stay logs. A capture with its commands written down is sure by its markers.
  SniffScore sniff(const SniffInput& input) const override {
    NullSink sink;
    SmiReader reader(std::nullopt, sink);
    std::size_t lines = 0;
    std::size_t hits = 0;
    bool commands = false;
    for (const TextLine& line : split_lines({input.head.data(), input.head.size()}, 2000)) {
      if (trim(line.text).empty() || (line.unterminated && !input.complete)) continue;
      ++lines;
      commands = commands || line.text.starts_with("# $ nvidia-smi");
      if (reader.add(line.text, line.number, line.offset)) ++hits;
    }
    if (commands) return 75;
    // One foreign line is allowed: the last row of a stopped -l loop is often cut.
    const std::size_t foreign = lines - hits;
    return hits > 0 && hits > foreign && foreign <= std::max<std::size_t>(1, lines / 50) ? 80 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    SmiReader reader(owner_from_path(member.path), sink);
    LineReader lines(in);
    while (const auto line = lines.next()) reader.add(line->text, line->number, line->offset);
    reader.finish();
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_nvidia_smi_parser() {
  return std::make_unique<NvidiaSmiParser>();
}

}  // namespace tfpm
