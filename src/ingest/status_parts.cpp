#include "ingest/status_parts.h"

#include <array>
#include <utility>

#include "ingest/bytes.h"
#include "ingest/status_code.h"
#include "ingest/text_lines.h"

namespace tfpm {
namespace {

constexpr std::string_view kRemoteTarget = "Additional GRPC error information from remote target ";

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

}  // namespace

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

// Lines at the outermost level list the hops from the innermost on. Older versions quote the inner
// ones only inside the first error's JSON.
std::vector<RemoteHop> parse_hops(std::string_view text, bool quoted) {
  std::vector<RemoteHop> out;
  std::string_view line;
  while (next_line(text, line)) {
    if (line.starts_with(kRemoteTarget)) {
      if (auto hop = parse_hop(line.substr(kRemoteTarget.size()))) out.push_back(std::move(*hop));
    } else if (quoted && line.starts_with(':') && out.size() == 1) {
      quoted = false;
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

}  // namespace tfpm
