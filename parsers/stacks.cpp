// Stack dumps of processes: py-spy (text and JSON), faulthandler, gdb, eu-stack
// (formats.md 8.2-8.4, log-formats.md 7.2-7.4).
#include <algorithm>
#include <memory>

#include "parsers/detail/json_text.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/null_sink.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/stack_reader.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxJson = std::size_t{64} << 20;

// "[New LWP 4301]" of gdb opens no array.
bool opens_json(std::string_view line) {
  return line == "[" || line.starts_with("[{");
}

bool is_py_spy_json(std::string_view head) {
  head = trim(head);
  return head.starts_with("[") && contains(head, "\"thread_id\"") && contains(head, "\"frames\"");
}

// One thread of py-spy's JSON as the lines of its text form, so that one reader serves both.
void replay_thread(const OrderedJson& item, StackReader& reader) {
  const auto id = int_member(item, "thread_id");
  const OrderedJson* active = find_member(item, "active");
  const OrderedJson* gil = find_member(item, "owns_gil");
  const auto is_true = [](const OrderedJson* v) {
    return v != nullptr && v->is_boolean() && v->get<bool>();
  };
  std::string header = "Thread " + std::to_string(id.value_or(0));
  header += is_true(active) ? " (active" : " (idle";
  header += is_true(gil) ? "+gil):" : "):";
  if (const auto name = string_member(item, "thread_name")) header += " \"" + *name + "\"";
  reader.add(header, 1, 0);
  const OrderedJson* frames = find_member(item, "frames");
  if (frames == nullptr || !frames->is_array()) return;
  for (const OrderedJson& frame : *frames) {
    auto file = string_member(frame, "short_filename");
    if (!file) file = string_member(frame, "filename");
    const auto name = string_member(frame, "name");
    const auto line = int_member(frame, "line");
    std::string place = file.value_or("?");
    if (line && *line > 0) place += ":" + std::to_string(*line);
    reader.add("    " + name.value_or("?") + " (" + place + ")", 1, 0);
  }
}

void parse_py_spy_json(std::string_view text, StackReader& reader, Sink& sink) {
  const JsonText json = parse_json_text(text);
  if (!json.value || !json.value->is_array()) {
    sink.problem({"stack-json", ProblemSeverity::kDataLoss, std::nullopt,
                  "py-spy dump is no complete JSON array: " + json.error});
    return;
  }
  std::optional<std::int64_t> process;
  for (const OrderedJson& item : *json.value) {
    const auto pid = int_member(item, "pid");
    if (pid && pid != process) reader.add("Process " + std::to_string(*pid) + ": ", 1, 0);
    process = pid;
    replay_thread(item, reader);
  }
}

// Lines that debuggers print between their frames; indented ones are arguments, wrapped frames and
// source lines.
bool is_tool_noise(std::string_view line) {
  if (is_blank(line[0])) return true;
  for (const std::string_view start : {"[",
                                       "warning",
                                       "Reading ",
                                       "0x",
                                       "#",
                                       "$",
                                       "(gdb)",
                                       "GNU gdb",
                                       "Copyright",
                                       "License",
                                       "This ",
                                       "There is NO",
                                       "Type ",
                                       "For ",
                                       "Find ",
                                       "Attaching",
                                       "Using ",
                                       "Core was",
                                       "Program terminated",
                                       "Python v",
                                       "PID ",
                                       "Extension modules",
                                       "Fatal glibc",
                                       "Detaching",
                                       "Missing ",
                                       "Downloading",
                                       "Debuginfod",
                                       "Enable debuginfod",
                                       "<http"}) {
    if (line.starts_with(start)) return true;
  }
  return false;
}

class StacksParser : public Parser {
 public:
  std::string_view name() const override { return "stacks"; }

  // Only frames and what the tools print around them: a log that holds dumps stays a log.
  SniffScore sniff(const SniffInput& input) const override {
    const std::string_view head(input.head.data(), input.head.size());
    if (is_py_spy_json(head)) return 90;
    NullSink sink;
    StackReader reader(std::nullopt, sink);
    std::size_t lines = 0;
    std::size_t hits = 0;
    std::size_t foreign = 0;
    for (const TextLine& line : split_lines(head, 2000)) {
      if (trim(line.text).empty() || (line.unterminated && !input.complete)) continue;
      ++lines;
      if (reader.add(line.text, line.number, line.offset)) {
        ++hits;
      } else if (!is_tool_noise(line.text)) {
        ++foreign;
      }
    }
    const bool enough = hits >= 2 && hits * 10 >= lines * 4;
    return enough && foreign <= std::max<std::size_t>(2, lines / 50) ? 85 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    StackReader reader(owner_from_path(member.path), sink);
    LineReader lines(in);
    std::string json;
    bool is_json = false;
    while (const auto line = lines.next()) {
      if (line->number == 1) is_json = opens_json(trim(line->text));
      if (is_json) {
        if (json.size() < kMaxJson) json.append(line->text).append("\n");
      } else {
        reader.add(line->text, line->number, line->offset);
      }
    }
    if (is_json) parse_py_spy_json(json, reader, sink);
    reader.finish();
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_stacks_parser() {
  return std::make_unique<StacksParser>();
}

}  // namespace tfpm
