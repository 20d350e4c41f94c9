#include "ingest/status_text.h"

#include <array>
#include <utility>

#include "ingest/bytes.h"
#include "ingest/line_start.h"
#include "ingest/status_code.h"
#include "ingest/status_kind.h"
#include "ingest/status_parts.h"
#include "ingest/text_lines.h"

namespace tfpm {
namespace {

constexpr int kMaxWrappings = 64;
constexpr int kMaxNesting = 4;  // lists of root errors inside each other
constexpr std::size_t kMaxInnerText = 2000;
constexpr std::string_view kGraphError = "Graph execution error:";

void trim_front(std::string_view& text) {
  while (!text.empty() && (is_blank(text[0]) || text[0] == '\n')) text.remove_prefix(1);
}

bool take(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

// Behind `Detected at node X defined at (most recent call last):` and its frames.
void skip_node_block(std::string_view& text) {
  std::string_view rest = text;
  std::string_view line;
  while (next_line(rest, line)) {
    const bool block = line.empty() || is_blank(line[0]) || line.starts_with("Detected at ") ||
                       line.starts_with("Node: ") || line == "<stack traces unavailable>";
    if (!block || line.starts_with("\t [[")) return;
    if (is_blank(line[0]) && !line.starts_with("  File ") && !line.starts_with("    ")) return;
    text = rest;
  }
}

// One item of `N root error(s) found.`: `  (0) UNAVAILABLE:  text` up to the next one.
std::string_view root_item(std::string_view text, std::size_t index) {
  const std::string mark = "\n  (" + std::to_string(index) + ") ";
  const std::size_t begin = text.find(mark);
  if (begin == std::string_view::npos) return {};
  std::string_view item = text.substr(begin + mark.size());
  item = item.substr(0, item.find("\n  (" + std::to_string(index + 1) + ") "));
  const std::size_t summary = item.find(" successful operations.");
  return summary == std::string_view::npos ? item : item.substr(0, item.rfind('\n', summary));
}

StatusInfo parse_nested(std::string_view text, std::string_view exception_code, int depth);

// What is left of a text, and the code met last, while wrappings are taken off.
struct Unwrapper {
  std::string_view text;
  StatusInfo& info;
  std::string_view code;
  int depth = 0;
  std::optional<StatusInfo> root;  // chosen from a list: what is inside it is known

  bool step();
  bool take_code();
  bool take_reported();
  bool take_roots();
};

bool Unwrapper::take_code() {
  const CodeMatch match = match_code(text);
  if (match.length == 0) return false;
  std::string_view rest = text.substr(match.length);
  if (!rest.starts_with(':')) return false;
  rest.remove_prefix(1);
  if (info.outer_status.empty()) info.outer_status = match.name;
  code = match.name;
  text = rest;
  return true;
}

bool Unwrapper::take_reported() {
  std::string_view rest = text;
  if (!take(rest, "Error reported from ")) return false;
  const std::size_t end = rest.find(": ");
  const std::optional<TaskName> task = parse_task_name(rest);
  if (end == std::string_view::npos || !task) return false;
  if (!info.reported_from) info.reported_from = task;
  text = rest.substr(end + 2);
  return true;
}

// Judges the listed errors and takes one: rather a root than a lost call, rather that than one that
// was merely cancelled. The choice is final: its own wrappings are already off.
bool Unwrapper::take_roots() {
  const std::size_t digits = count_digits(text);
  if (digits == 0 || !text.substr(digits).starts_with(" root error(s) found.")) return false;
  if (depth >= kMaxNesting) return false;
  constexpr std::size_t kMaxItems = 16;
  int best = 0;
  for (std::size_t i = 0; i < kMaxItems; ++i) {
    const std::string_view item = root_item(text, i);
    if (item.empty()) break;
    StatusInfo status = parse_nested(item, {}, depth + 1);
    const int rank = status.inner_status == "CANCELLED" ? 1 : status.communication ? 2 : 3;
    if (rank <= best) continue;
    best = rank;
    root = std::move(status);
  }
  return best > 0;
}

// Takes one wrapping off; false when none is left.
bool Unwrapper::step() {
  trim_front(text);
  if (take(text, kGraphError)) return true;
  if (text.starts_with("Detected at ")) {
    const std::size_t before = text.size();
    skip_node_block(text);
    return text.size() != before;
  }
  if (text.starts_with("{{function_node ")) {
    const std::size_t end = text.find("}}");
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 2);
    return true;
  }
  if (take(text, "Collective ops is aborted by:") ||
      take(text, "Barrier failed because: task is set to ERROR:") ||
      take(text, "Truncated error message:")) {
    info.wrapped = true;
    return true;
  }
  if (take_reported() || take_roots()) {
    info.wrapped = true;
    return true;
  }
  return take_code();
}

// Where a status begins inside a log message: behind `StartAbort `, `with status: `, `status: ` ...
// An exception's message is the status; codes further on belong to what it quotes.
std::string_view status_begin(std::string_view text, bool is_exception) {
  if (const std::size_t graph = first_line(text).find(kGraphError);
      graph != std::string_view::npos) {
    return text.substr(graph);
  }
  if (is_exception) return text;
  const std::string_view line = first_line(text);
  for (std::size_t pos = 0; pos < line.size(); ++pos) {
    const bool word_start = pos == 0 || line[pos - 1] == ' ' || line[pos - 1] == '(';
    if (!word_start || !is_upper(line[pos])) continue;
    const CodeMatch match = match_code(line.substr(pos));
    if (match.length == 0 || !line.substr(pos + match.length).starts_with(':')) continue;
    if (!line.substr(0, pos).ends_with("last error: ")) return text.substr(pos);
  }
  return text;
}

// The bare text of the innermost status.
std::string_view cut_tail(std::string_view text) {
  constexpr std::array<std::string_view, 9> kTails = {
      "\nAdditional GRPC error information",
      "\nThe error could be from a previous operation",
      "\n\t [[",
      " [type.googleapis.com/",
      " [Op:",
      "\nTraceback (most recent call last):",
      "\n\nErrors may have originated",
      "\n\nOriginal stack trace for",
      " [[{{node "};
  for (const std::string_view tail : kTails) text = text.substr(0, text.find(tail));
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\n')) text.remove_suffix(1);
  return text.substr(0, kMaxInnerText);
}

// What a chosen root error says becomes what the whole text says.
void take_inner(StatusInfo& root, std::string_view text, StatusInfo& info) {
  info.hops = std::move(root.hops);
  const std::size_t end = text.find(" derived errors ignored.");
  if (end != std::string_view::npos) {
    for (RemoteHop& hop : parse_hops(text.substr(end), false)) info.hops.push_back(std::move(hop));
  }
  if (info.outer_status.empty()) info.outer_status = root.outer_status;
  info.inner_status = std::move(root.inner_status);
  info.inner_text = std::move(root.inner_text);
  info.python_exception = root.python_exception;
  info.communication = root.communication;
  if (!info.reported_from) info.reported_from = std::move(root.reported_from);
}

StatusInfo parse_nested(std::string_view text, std::string_view exception_code, int depth) {
  StatusInfo info;
  info.outer_status = exception_code;
  const std::string_view begin = status_begin(text, !exception_code.empty());
  Unwrapper unwrapper{begin, info, exception_code, depth, std::nullopt};
  for (int i = 0; i < kMaxWrappings && !unwrapper.root && unwrapper.step(); ++i) {
  }
  info.op = find_op(text);
  info.named = list_tasks(text);
  info.derived = text.find("tensorflow.DerivedStatus") != std::string_view::npos ||
                 text.find("[_Derived_]") != std::string_view::npos;
  if (unwrapper.root) {
    take_inner(*unwrapper.root, text, info);
    return info;
  }
  info.hops = parse_hops(text, true);
  const bool replaced = text.find("originally returned UnavailableError") != std::string_view::npos;
  std::string_view code = replaced ? "UNAVAILABLE" : unwrapper.code;
  if (code.empty() || (code == "UNKNOWN" && !info.hops.empty())) {
    if (const std::string_view remote = grpc_code(text); !remote.empty()) code = remote;
  }
  if (info.outer_status.empty()) info.outer_status = code;
  info.inner_status = code;
  info.inner_text = cut_tail(unwrapper.text);
  info.python_exception = !code.empty() && is_exception_line(first_line(info.inner_text));
  info.communication = !code.empty() && is_communication(code, info.inner_text);
  return info;
}

}  // namespace

StatusInfo parse_status(std::string_view text, std::string_view exception_code) {
  return parse_nested(text, exception_code, 0);
}

}  // namespace tfpm
