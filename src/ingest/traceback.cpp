#include "ingest/traceback.h"

#include <vector>

#include "ingest/bytes.h"
#include "ingest/line_start.h"
#include "ingest/status_code.h"
#include "ingest/text_lines.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxMessage = 8000;
constexpr std::size_t kMaxBlocks = 256;

// One `Traceback ...` with its frames and exception.
struct Block {
  std::optional<StackFrame> outermost;
  std::optional<StackFrame> innermost;
  std::optional<StackFrame> program;  // innermost frame of the program
  std::string_view exception_path;
  std::string_view message;  // may have several lines
  bool has_head = false;     // begins with its `Traceback` line
};

void add_frame(StackFrame frame, Block& block) {
  if (!block.outermost) block.outermost = frame;
  if (is_program_file(frame.file)) block.program = frame;
  block.innermost = std::move(frame);
}

std::string_view trim_end(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || is_blank(text.back()))) text.remove_suffix(1);
  return text;
}

// `Class: message` at the start of `text`; the message goes on to its end.
void take_exception(std::string_view text, Block& block) {
  const std::string_view line = first_line(text);
  const std::size_t path = exception_path_length(line);
  block.exception_path = path > 0 ? line.substr(0, path) : line.substr(0, line.find(':'));
  std::string_view message = text.substr(block.exception_path.size());
  if (message.starts_with(": ")) message.remove_prefix(2);
  if (message.starts_with(':')) message.remove_prefix(1);
  block.message = trim_end(message);
}

bool is_head(LineStart start) {
  return start == LineStart::kTraceback || start == LineStart::kTracebackIntro;
}

// The line that ends the frames: not indented, no head.
Block parse_block(std::string_view text) {
  Block block;
  std::string_view rest = text;
  std::string_view line;
  while (next_line(rest, line)) {
    const LineStart start = classify_line(line);
    if (is_head(start)) {
      block.has_head |= start == LineStart::kTraceback;
      continue;
    }
    if (line.empty() || is_blank(line[0])) {
      if (auto frame = parse_frame_line(line)) add_frame(std::move(*frame), block);
      continue;
    }
    take_exception(text.substr(static_cast<std::size_t>(line.data() - text.data())), block);
    break;
  }
  return block;
}

// A worker process's traceback, quoted in """ by concurrent.futures and multiprocessing.
Block unquoted(Block block) {
  constexpr std::string_view kQuotes = "\"\"\"";
  if (!block.exception_path.ends_with("RemoteTraceback")) return block;
  std::string_view text = block.message;
  const std::size_t open = text.find(kQuotes);
  if (open == std::string_view::npos) return block;
  text.remove_prefix(open + kQuotes.size());
  if (text.starts_with('\n')) text.remove_prefix(1);
  return parse_block(trim_end(text.substr(0, text.find(kQuotes))));
}

// Blocks of a chain, in the order of the text.
std::vector<Block> parse_chain(std::string_view text) {
  std::vector<Block> out;
  std::size_t begin = 0;
  std::string_view rest = text;
  std::string_view line;
  while (out.size() < kMaxBlocks && next_line(rest, line)) {
    if (classify_line(line) != LineStart::kChain) continue;
    const auto at = static_cast<std::size_t>(line.data() - text.data());
    out.push_back(unquoted(parse_block(text.substr(begin, at - begin))));
    begin = at + line.size();
  }
  out.push_back(parse_block(text.substr(begin)));
  return out;
}

// Exception groups draw a tree: takes its lines off their margin. Sub-exceptions come after lines
// such as `+-+---------------- 1 ----------------`.
std::string without_margin(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::string_view line;
  while (next_line(text, line)) {
    const std::size_t edge = line.substr(0, 16).find_first_of("|+");
    if (edge != std::string_view::npos && line.find_first_not_of(' ') == edge) {
      line.remove_prefix(edge + 1);
      if (line.starts_with(' ')) line.remove_prefix(1);
    }
    out.append(line);
    out.push_back('\n');
  }
  return out;
}

// The group itself and its first leaf.
std::vector<Block> parse_group(std::string_view text) {
  std::vector<Block> out;
  const std::size_t first = text.find("---------------- 1 ----------------");
  Block group = parse_block(text.substr(0, first));
  group.has_head = true;
  if (const std::size_t mark = group.message.find("\n-+--"); mark != std::string_view::npos) {
    group.message = group.message.substr(0, mark);
  }
  group.message = first_line(group.message);
  if (first != std::string_view::npos) {
    const std::string_view leaf = text.substr(first).substr(35);
    out.push_back(parse_block(leaf.substr(0, leaf.find("\n--------"))));
  }
  out.push_back(group);
  return out;
}

TracebackOrigin origin_of(std::string_view record) {
  const std::string_view line = first_line(record);
  if (line.starts_with("Exception in thread ")) return TracebackOrigin::kThread;
  if (line.starts_with("Exception in callback ")) return TracebackOrigin::kIgnored;
  if (line.starts_with("Exception ignored ")) return TracebackOrigin::kIgnored;
  if (line.starts_with("Process ")) return TracebackOrigin::kChildProcess;
  return TracebackOrigin::kMain;
}

// Uncaught exceptions are printed from the outermost frame on; one that was caught and printed
// begins where it was caught.
bool begins_at_module(const Block& block) {
  if (!block.has_head || !block.outermost) return true;  // outermost frames are lost
  const std::string_view function = block.outermost->function;
  return function.empty() || function == "<module>" || function == "_run_module_as_main";
}

std::string last_part(std::string_view path) {
  return std::string(path.substr(path.rfind('.') + 1));
}

void fill_status(std::string_view message, TracebackInfo& info) {
  const std::string_view code = code_of_exception(info.exception);
  const bool tf = info.exception_path.find("errors_impl.") != std::string::npos ||
                  info.exception_path.find("errors.") != std::string::npos ||
                  info.exception_path.starts_with("tensorflow.");
  if (code.empty() || !tf) return;
  info.has_status = true;
  info.status = parse_status(message, code);
  if (info.status.python_exception && info.original_path.empty()) {
    Block inner;
    take_exception(info.status.inner_text, inner);
    info.original_path = inner.exception_path;
    info.original_message = first_line(inner.message);
  }
}

TracebackInfo summarize(const std::vector<Block>& blocks) {
  TracebackInfo info;
  const Block& last = blocks.back();
  info.exception_path = last.exception_path;
  info.exception = last_part(last.exception_path);
  info.message = first_line(last.message);
  info.full_message = last.message.substr(0, kMaxMessage);
  info.innermost = last.innermost;
  for (std::size_t i = blocks.size(); i > 0 && !info.frame; --i) info.frame = blocks[i - 1].program;
  if (blocks.size() > 1) {
    info.original_path = blocks.front().exception_path;
    info.original_message = first_line(blocks.front().message);
  }
  fill_status(last.message, info);
  return info;
}

}  // namespace

TracebackInfo parse_traceback(std::string_view record) {
  const TracebackOrigin origin = origin_of(record);
  const bool group = record.find("  + Exception Group Traceback") != std::string_view::npos;
  const std::string plain = group ? without_margin(record) : std::string();
  const std::vector<Block> blocks = group ? parse_group(plain) : parse_chain(record);
  TracebackInfo info = summarize(blocks);
  info.origin = origin;
  info.fatal = origin == TracebackOrigin::kMain && !info.exception_path.empty() &&
               begins_at_module(blocks.back());
  return info;
}

}  // namespace tfpm
