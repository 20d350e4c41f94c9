// Events on their way to the store, and how many of each kind are kept.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/lines.h"
#include "ingest/record_ref.h"

namespace tfpm {

using Captures = std::vector<std::pair<std::string, std::string>>;

enum class EventKind : std::uint8_t { kSignature, kTraceback, kCrash, kError, kTail };
std::string_view to_string(EventKind kind);  // as in schema/20_event.sql

// One row of `event` with its captures; columns as in schema/20_event.sql.
struct Event {
  EventKind kind = EventKind::kTail;
  std::optional<std::uint32_t> signature;  // index into the loaded signatures
  std::uint64_t cite_line = 0;
  std::uint64_t cite_offset = 0;
  std::uint64_t record_line = 0;
  std::uint64_t last_line = 0;  // last line of the record
  std::uint64_t seq = 0;
  std::optional<std::int64_t> time_us;
  bool own_time = false;  // false: time_us is the last stamp before it
  LogSeverity severity = LogSeverity::kNone;
  std::string text;
  Captures captures;
};

// Keeps the first and the last few of a kind and counts all. New ones arrive as references into the
// chunk; only those that survive the chunk are turned into events, which bounds the work of an
// error storm by the number of kinds, not of errors (performance.md section 2.4).
class CappedEvents {
 public:
  CappedEvents() = default;
  CappedEvents(std::size_t first, std::size_t last) : first_cap_(first), last_cap_(last) {}

  void add(RecordRef record);
  // Makes events of the records added since the last call. `make` is called at most first + last
  // times.
  template <typename Make>
  void settle(const Make& make) {
    for (RecordRef& record : pending_) place(make(record));
    pending_.clear();
  }
  bool pending() const { return !pending_.empty(); }
  std::uint64_t count() const { return count_; }
  const std::vector<Event>& first() const { return first_; }
  const std::deque<Event>& last() const { return last_; }

 private:
  void place(Event event);

  std::size_t first_cap_ = 0;
  std::size_t last_cap_ = 0;
  std::uint64_t count_ = 0;
  std::deque<RecordRef> pending_;
  std::vector<Event> first_;
  std::deque<Event> last_;
};

}  // namespace tfpm
