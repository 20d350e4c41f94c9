#include <algorithm>
#include <string_view>

#include "engine/cascade.h"
#include "store/database.h"

namespace tfpm {
namespace {

// Events of one record have neighbouring ids.
constexpr std::int64_t kNeighbours = 256;

// Lines that only announce others.
bool says_nothing(std::string_view line) {
  constexpr std::string_view phrases[] = {"(most recent call last):",
                                          "Graph execution error:",
                                          "Additional GRPC error information",
                                          "[[{{node",
                                          "type.googleapis.com/",
                                          "Error received from peer",
                                          "During handling of the",
                                          "The above exception was the"};
  return std::any_of(std::begin(phrases), std::end(phrases), [&](std::string_view phrase) {
    return line.find(phrase) != std::string_view::npos;
  });
}

Result<std::string> inner_status(Database& db, std::int64_t event) {
  Result<Statement> s =
      db.prepare("SELECT value FROM event_capture WHERE event_id = ?1 AND name = 'inner_text'");
  if (!s.ok()) return s.status();
  s->bind(1, event);
  const Result<bool> row = s->step();
  if (!row.ok()) return row.status();
  if (!*row) return std::string();
  const std::string text = s->text(0);
  return text.substr(0, text.find('\n'));
}

}  // namespace

Result<std::string> speaking_line(Database& db, std::int64_t event) {
  const Result<std::string> inner = inner_status(db, event);
  if (!inner.ok()) return inner.status();
  Result<Statement> s = db.prepare(
      "SELECT e.id, e.id = t.id, coalesce(c.text, e.text) FROM event t JOIN event e ON "
      "e.id BETWEEN t.id - ?2 AND t.id + ?2 AND e.source_id = t.source_id AND e.stream IS t.stream "
      "AND e.record_line = t.record_line LEFT JOIN context_line c ON c.source_id = e.source_id AND "
      "c.line = e.line WHERE t.id = ?1 AND e.kind <> 'tail' ORDER BY e.line, e.id = t.id DESC, "
      "e.id");
  if (!s.ok()) return s.status();
  s->bind(1, event).bind(2, kNeighbours);
  std::int64_t first = 0;  // line that says anything
  bool own = false;        // the event's own does
  for (;;) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) break;
    const std::string text = s->text(2);
    const std::string_view line = std::string_view(text).substr(0, text.find('\n'));
    if (says_nothing(line)) continue;
    const std::int64_t id = s->as_int(0);
    if (inner->size() >= 4 && line.find(*inner) != std::string_view::npos) {
      return "event:" + std::to_string(id);
    }
    if (first == 0) first = id;
    own = own || s->as_int(1) != 0;
  }
  return "event:" + std::to_string(own || first == 0 ? event : first);
}

}  // namespace tfpm
