// Logs of a launcher alone: lines of which most say how processes started and ended
// (log-formats.md 6.3). In mixed logs the log reader calls the same recogniser.
#include <memory>

#include "parsers/detail/exit_lines.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

class LauncherParser : public Parser {
 public:
  std::string_view name() const override { return "launcher"; }

  SniffScore sniff(const SniffInput& input) const override {
    ExitLineReader reader;
    std::size_t lines = 0;
    std::size_t hits = 0;
    for (const TextLine& line : split_lines({input.head.data(), input.head.size()}, 400)) {
      if (trim(line.text).empty()) continue;
      if (line.unterminated && !input.complete) break;  // cut by the end of the head
      ++lines;
      if (!reader.read(line.text).empty()) ++hits;
    }
    return hits > 0 && hits * 10 >= lines * 6 ? 85 : 0;
  }

  Status parse(const MemberInfo&, ByteStream& in, Sink& sink) const override {
    LineReader lines(in);
    ExitLineReader reader;
    while (const auto line = lines.next()) {
      emit_exit_line(reader, line->text, line->number, line->offset, sink);
    }
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_launcher_parser() {
  return std::make_unique<LauncherParser>();
}

}  // namespace tfpm
