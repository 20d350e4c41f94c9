#include "cli/evidence_lines.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/text.h"
#include "bundle/bundle.h"

namespace tfpm::cli {
namespace {

constexpr std::size_t kMaxLineBytes = 2000;  // as context_line.text

// Keeps the lines of a range out of a stream.
class LineCollector {
 public:
  LineCollector(LineRange range, LineMap& out) : range_(range), out_(out) {}

  bool done() const { return line_ > range_.last; }
  void feed(std::string_view bytes) {
    while (!bytes.empty() && !done()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view part = bytes.substr(0, end);
      if (line_ >= range_.first && current_.size() < kMaxLineBytes) {
        current_ += part.substr(0, kMaxLineBytes - current_.size());
      }
      open_ = open_ || !part.empty();
      if (end == std::string_view::npos) return;
      end_line();
      bytes.remove_prefix(end + 1);
    }
  }
  // The last line may lack its end.
  void finish() {
    if (open_ && !done()) end_line();
  }

 private:
  void end_line() {
    if (line_ >= range_.first) out_[line_] = clean_utf8(current_, kMaxLineBytes);
    current_.clear();
    open_ = false;
    ++line_;
  }

  LineRange range_;
  LineMap& out_;
  std::int64_t line_ = 1;
  std::string current_;
  bool open_ = false;
};

Status collect(ByteSource& content, LineRange range, LineMap& out) {
  LineCollector collector(range, out);
  std::vector<char> buffer(std::size_t{256} << 10);
  while (!collector.done()) {
    const Result<std::size_t> n = content.read(buffer);
    if (!n.ok()) return n.status();
    if (*n == 0) break;
    collector.feed({buffer.data(), *n});
  }
  collector.finish();
  return ok_status();
}

// Stored lines are cut at a byte count of the original; compare what both have.
bool same_line(std::string_view a, std::string_view b) {
  const std::size_t n = std::min({a.size(), b.size(), kMaxLineBytes - 8});
  return a.substr(0, n) == b.substr(0, n);
}

std::vector<std::string> bundle_paths(const std::optional<std::string>& meta) {
  std::vector<std::string> out;
  const auto json = nlohmann::json::parse(meta.value_or("[]"), nullptr, false);
  if (!json.is_array()) return out;
  for (const auto& path : json) {
    if (path.is_string()) out.push_back(path.get<std::string>());
  }
  return out;
}

}  // namespace

Result<LineMap> stored_lines(Database& db, std::int64_t source_id, LineRange range) {
  LineMap out;
  Result<Statement> rows = db.prepare(
      "SELECT line, text FROM context_line WHERE source_id = ?1 AND line BETWEEN ?2 AND ?3");
  if (!rows.ok()) return rows.status();
  rows->bind(1, source_id).bind(2, range.first).bind(3, range.last);
  for (;;) {
    const Result<bool> more = rows->step();
    if (!more.ok()) return more.status();
    if (!*more) return out;
    out[rows->as_int(0)] = rows->text(1);
  }
}

Result<LineMap> bundle_lines(Database& db, const std::string& source, LineRange range,
                             const LineMap& known) {
  LineMap out;
  const Result<std::optional<std::string>> paths =
      db.query_text("SELECT value FROM meta WHERE key = 'bundle_paths'");
  if (!paths.ok()) return paths.status();
  Result<std::unique_ptr<Bundle>> bundle = Bundle::open(bundle_paths(*paths));
  if (!bundle.ok()) return out;  // moved or deleted: nothing wrong with that
  bool found = false;
  const Status walked = (*bundle)->for_each(
      [&](Member& member) -> Status {
        if (member.path != source || member.content == nullptr) return ok_status();
        found = true;
        // A damaged member still gives the lines before the damage.
        (void)collect(*member.content, range, out);
        return error(ErrorKind::kInternal, "found");  // ends the walk
      },
      {});
  if (!walked.ok() && !found) return walked;
  for (const auto& [line, text] : known) {
    const auto again = out.find(line);
    if (again == out.end() || !same_line(again->second, text)) return LineMap{};
  }
  return out;
}

}  // namespace tfpm::cli
