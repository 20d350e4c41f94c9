#include "ingest/status_text.h"

#include <array>

#include "ingest/bytes.h"
#include "ingest/line_start.h"
#include "ingest/status_code.h"
#include "ingest/status_kind.h"
#include "ingest/text_lines.h"

namespace tfpm {
namespace {

constexpr int kMaxWrappings = 64;
constexpr int kMaxNesting = 4;  // lists of root errors inside each other
constexpr std::size_t kMaxInnerText = 2000;
constexpr std::string_view kRemoteTarget = "Additional GRPC error information from remote target ";
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
  const std::string_view item = text.substr(begin + mark.size());
  const std::size_t next = item.find("\n  (" + std::to_string(index + 1) + ") ");
  return item.substr(0, std::min(next, item.find(" successful operations.")));
}

StatusInfo parse_nested(std::string_view text, std::string_view exception_code, int depth);

// What is left of a text, and the code met last, while wrappings are taken off.
struct Unwrapper {
  std::string_view text;
  StatusInfo& info;
  std::string_view code;
  int depth = 0;

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

// A root error that is more than a cancelled or lost call is preferred.
bool Unwrapper::take_roots() {
  const std::size_t digits = count_digits(text);
  if (digits == 0 || !text.substr(digits).starts_with(" root error(s) found.")) return false;
  if (depth >= kMaxNesting) return false;
  const std::string_view whole = text;
  constexpr std::size_t kMaxItems = 16;
  int best = 0;
  for (std::size_t i = 0; i < kMaxItems; ++i) {
    const std::string_view item = root_item(whole, i);
    if (item.empty()) break;
    const StatusInfo status = parse_nested(item, {}, depth + 1);
    const int rank = status.inner_status == "CANCELLED" ? 1 : status.communication ? 2 : 3;
    if (rank <= best) continue;
    best = rank;
    text = item;
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

// The number behind `grpc_status` in the first error of a peer.
std::string_view grpc_code(std::string_view text) {
  const std::size_t peer = text.find("Error received from peer");
  if (peer == std::string_view::npos) return {};
  std::string_view line = first_line(text.substr(peer));
  const std::size_t key = line.rfind("grpc_status");
  if (key == std::string_view::npos) return {};
  line.remove_prefix(key + 11);
  while (!line.empty() && (line[0] == '"' || line[0] == '\\' || line[0] == ':')) {
    line.remove_prefix(1);
  }
  return code_of_number(to_int(line.substr(0, count_digits(line))).value_or(0));
}

std::optional<RemoteHop> parse_hop(std::string_view text) {
  const std::optional<TaskName> target = parse_task_name(text);
  if (!target) return std::nullopt;
  RemoteHop hop{*target, {}};
  constexpr std::string_view kCalling = " while calling ";
  const std::size_t calling = text.find(kCalling);
  if (calling != std::string_view::npos) {
    std::string_view method = text.substr(calling + kCalling.size());
    hop.method = method.substr(0, method.find_first_of(":\n\\"));
  }
  return hop;
}

// Lines at the outermost level list the hops from the innermost on. Older versions quote the inner
// ones only inside the first error's JSON.
std::vector<RemoteHop> parse_hops(std::string_view text) {
  std::vector<RemoteHop> out;
  std::string_view line;
  bool first_json = true;
  while (next_line(text, line)) {
    if (line.starts_with(kRemoteTarget)) {
      if (auto hop = parse_hop(line.substr(kRemoteTarget.size()))) out.push_back(std::move(*hop));
    } else if (line.starts_with(':') && out.size() == 1 && first_json) {
      first_json = false;
      const std::size_t inner = line.find(kRemoteTarget);
      if (inner == std::string_view::npos) continue;
      const std::string_view rest = line.substr(inner + kRemoteTarget.size());
      if (auto hop = parse_hop(first_line(rest))) out.insert(out.begin(), std::move(*hop));
    }
  }
  return out;
}

std::string find_op(std::string_view text) {
  constexpr std::array<std::string_view, 4> kMarks = {"Detected at node ", "[[{{node ", "[[node ",
                                                      "[Op:"};
  for (const std::string_view mark : kMarks) {
    const std::size_t pos = text.find(mark);
    if (pos == std::string_view::npos) continue;
    std::string_view op = text.substr(pos + mark.size());
    if (op.starts_with('\'')) op.remove_prefix(1);
    op = op.substr(0, op.find_first_of(" '}]\n"));
    if (!op.empty() && !op.starts_with("__")) return std::string(op);
  }
  return {};
}

StatusInfo parse_nested(std::string_view text, std::string_view exception_code, int depth) {
  StatusInfo info;
  info.outer_status = exception_code;
  const std::string_view begin = status_begin(text, !exception_code.empty());
  Unwrapper unwrapper{begin, info, exception_code, depth};
  for (int i = 0; i < kMaxWrappings && unwrapper.step(); ++i) {
  }
  const bool replaced = text.find("originally returned UnavailableError") != std::string_view::npos;
  std::string_view code = replaced ? "UNAVAILABLE" : unwrapper.code;
  info.hops = parse_hops(text);
  if (code.empty() || (code == "UNKNOWN" && !info.hops.empty())) {
    if (const std::string_view remote = grpc_code(text); !remote.empty()) code = remote;
  }
  if (info.outer_status.empty()) info.outer_status = code;
  info.inner_status = code;
  info.inner_text = cut_tail(unwrapper.text);
  info.op = find_op(text);
  info.derived = text.find("tensorflow.DerivedStatus") != std::string_view::npos ||
                 text.find("[_Derived_]") != std::string_view::npos;
  info.python_exception =
      !info.outer_status.empty() && is_exception_line(first_line(info.inner_text));
  info.communication = !code.empty() && is_communication(code, info.inner_text);
  info.named = list_tasks(text);
  return info;
}

}  // namespace

StatusInfo parse_status(std::string_view text, std::string_view exception_code) {
  return parse_nested(text, exception_code, 0);
}

}  // namespace tfpm
