// Process listings: ps in its many column sets, top -b (log-formats.md 7.3, 10).
#include <cmath>
#include <memory>
#include <optional>

#include "parsers/detail/line_reader.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxCommand = 1000;

// Where the columns of interest are, counted in words; the command takes the rest of the line.
struct Columns {
  std::size_t pid = 0;
  std::optional<std::size_t> state;
  std::optional<std::size_t> wchan;
  std::optional<std::size_t> rss;
  std::size_t command = 0;
};

std::optional<Columns> parse_header(std::string_view line) {
  const std::vector<std::string_view> words = split_blanks(line);
  if (words.size() < 3 || words.size() > 30) return std::nullopt;
  Columns columns;
  bool pid = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "PID") {
      columns.pid = i;
      pid = true;
    } else if (word == "STAT" || word == "S") {
      columns.state = i;
    } else if (word == "WCHAN") {
      columns.wchan = i;
    } else if (word == "RSS" || word == "RES") {
      columns.rss = i;
    }
  }
  const std::string_view last = words.back();
  if (!pid || (last != "COMMAND" && last != "CMD" && last != "ARGS")) return std::nullopt;
  columns.command = words.size() - 1;
  return columns;
}

// KiB, or top's "12.3g", "629m".
std::optional<std::int64_t> parse_size(std::string_view word) {
  if (const auto kib = parse_int(word)) return kib;
  const auto number = leading_decimal(word);
  if (!number || word.empty() || *number < 0 || *number > 1e9) return std::nullopt;
  const char unit = word.back();
  const double factor = unit == 't'   ? 1024.0 * 1024 * 1024
                        : unit == 'g' ? 1024.0 * 1024
                        : unit == 'm' ? 1024.0
                                      : 0;
  if (factor == 0) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(*number * factor));
}

struct Process {
  std::int64_t pid = 0;
  std::optional<std::string> state, wchan;
  std::optional<std::int64_t> rss_kib;
  std::string_view command;
};

std::optional<Process> parse_row(std::string_view line, const Columns& columns) {
  std::vector<std::string_view> words;
  while (words.size() < columns.command) {
    const std::string_view word = eat_token(line);
    if (word.empty()) return std::nullopt;
    words.push_back(word);
  }
  const auto pid = parse_int(words[columns.pid]);
  if (!pid || trim(line).empty()) return std::nullopt;
  Process process;
  process.pid = *pid;
  if (columns.state) process.state = clean_utf8(words[*columns.state], 20);
  if (columns.wchan && words[*columns.wchan] != "-") {
    process.wchan = clean_utf8(words[*columns.wchan], 100);
  }
  if (columns.rss) process.rss_kib = parse_size(words[*columns.rss]);
  process.command = trim(line);
  return process;
}

class ProcessesParser : public Parser {
 public:
  std::string_view name() const override { return "processes"; }

  SniffScore sniff(const SniffInput& input) const override {
    std::optional<Columns> columns;
    std::size_t before = 0;
    std::size_t rows = 0;
    std::size_t total = 0;
    for (const TextLine& line : split_lines({input.head.data(), input.head.size()}, 400)) {
      if (trim(line.text).empty()) continue;
      if (auto found = parse_header(line.text)) {
        columns = found;
      } else if (!columns) {
        if (++before > 12) return 0;  // top prints five lines before its table
      } else if (!line.unterminated || input.complete) {
        ++total;
        if (parse_row(line.text, *columns)) ++rows;
      }
    }
    return columns && rows > 0 && rows * 10 >= total * 7 ? 80 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    const std::optional<std::string> owner = owner_from_path(member.path);
    LineReader lines(in);
    std::optional<Columns> columns;
    while (const auto line = lines.next()) {
      if (auto found = parse_header(line->text)) {
        columns = found;
        continue;
      }
      if (!columns) continue;
      const auto process = parse_row(line->text, *columns);
      if (!process) continue;
      sink.add("process_state",
               {{"line", int_value(line->number)},
                {"byte_offset", int_value(line->offset)},
                {"owner", optional_value(owner)},
                {"pid", Value(process->pid)},
                {"state", optional_value(process->state)},
                {"wchan", optional_value(process->wchan)},
                {"rss_kib", optional_value(process->rss_kib)},
                {"command", text_value(clean_utf8(process->command, kMaxCommand))}});
    }
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_processes_parser() {
  return std::make_unique<ProcessesParser>();
}

}  // namespace tfpm
