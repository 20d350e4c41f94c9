#include "cli/log_line.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "bundle/bundle.h"

namespace tfpm::cli {
namespace {

constexpr std::size_t kMaxLine = std::size_t{1} << 20;
constexpr std::size_t kReadBytes = std::size_t{256} << 10;

LogLine read_line(const EnvelopeDetector& envelopes, std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  // A progress bar ahead of the text: what the terminal showed last counts.
  line.remove_prefix(line.rfind('\r') == std::string_view::npos ? 0 : line.rfind('\r') + 1);
  const Envelope envelope = envelopes.peel(line);
  const LineHeader header =
      parse_header(envelope.kind == EnvelopeKind::kNone ? line : envelope.inner);
  return {0, header.message, header.severity};
}

Status visit_lines(ByteSource& content, const std::function<bool(const LogLine&)>& visit) {
  std::string pending;
  std::vector<char> buffer(kReadBytes);
  std::optional<EnvelopeDetector> envelopes;
  std::uint64_t number = 0;
  bool inside = false;  // of a line that was too long to be given as one
  for (bool ended = false; !ended;) {
    const Result<std::size_t> n = content.read(buffer);
    if (!n.ok()) return n.status();
    ended = *n == 0;
    pending.append(buffer.data(), *n);
    if (!envelopes) envelopes = EnvelopeDetector::from_head(pending);
    std::size_t begin = 0;
    while (begin < pending.size()) {
      std::size_t end = pending.find('\n', begin);
      if (end == std::string::npos && !ended && pending.size() - begin < kMaxLine) break;
      const bool whole = end != std::string::npos;
      end = std::min(end, pending.size());
      LogLine line = read_line(*envelopes, std::string_view(pending).substr(begin, end - begin));
      line.number = inside ? number : ++number;
      inside = !whole;
      if (!visit(line)) return ok_status();
      begin = end + 1;
    }
    pending.erase(0, std::min(begin, pending.size()));
  }
  return ok_status();
}

}  // namespace

Status read_log_lines(const std::string& path, const std::function<bool(const LogLine&)>& visit) {
  Result<std::unique_ptr<Bundle>> bundle = Bundle::open({path});
  if (!bundle.ok()) return bundle.status();
  bool one_file = false;
  return (*bundle)->for_each(
      [&](Member& member) -> Status {
        if (one_file || member.content == nullptr) {
          return error(ErrorKind::kUsage, "one log file is needed", path, member.unread_reason);
        }
        one_file = true;
        return visit_lines(*member.content, visit);
      },
      {});
}

}  // namespace tfpm::cli
