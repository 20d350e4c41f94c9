// Stack dumps of processes: py-spy (text and JSON), faulthandler, gdb, eu-stack
// (formats.md 8.2-8.4, log-formats.md 7.2-7.4).
#include <algorithm>
#include <memory>

#include "parsers/detail/json_text.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/null_sink.h"
#include "parsers/detail/object_split.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/stack_reader.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

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

// An array of threads, one at a time: a dump with local variables may be large.
class PySpyJson {
 public:
  PySpyJson(StackReader& reader, Sink& sink)
      : reader_(reader),
        sink_(sink),
        splitter_([this](const ObjectPiece& piece) { read(piece); }) {}
  PySpyJson(const PySpyJson&) = delete;
  PySpyJson& operator=(const PySpyJson&) = delete;

  void add(const TextLine& line) { splitter_.add(line); }
  void finish() {
    if (splitter_.complete() && splitter_.skipped() == 0) return;
    sink_.problem({"stack-json", ProblemSeverity::kDataLoss, std::nullopt,
                   "py-spy dump is no complete JSON array; " + std::to_string(threads_) +
                       " threads were read"});
  }

 private:
  void read(const ObjectPiece& piece) {
    const JsonText json = parse_json_text(piece.text);
    if (!json.value) {
      sink_.problem({"stack-json", ProblemSeverity::kDataLoss, piece.byte_offset,
                     "a thread of a py-spy dump is not JSON: " + json.error});
      return;
    }
    ++threads_;
    const auto pid = int_member(*json.value, "pid");
    if (pid && pid != process_) reader_.add("Process " + std::to_string(*pid) + ": ", 1, 0);
    process_ = pid;
    replay_thread(*json.value, reader_);
  }

  StackReader& reader_;
  Sink& sink_;
  JsonSplitter splitter_;
  std::optional<std::int64_t> process_;
  std::uint64_t threads_ = 0;
};

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
    PySpyJson json(reader, sink);
    bool is_json = false;
    while (const auto line = lines.next()) {
      if (line->number == 1) is_json = opens_json(trim(line->text));
      if (is_json) {
        json.add(*line);
      } else {
        reader.add(line->text, line->number, line->offset);
      }
    }
    if (is_json) json.finish();
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
