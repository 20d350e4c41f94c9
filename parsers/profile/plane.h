// One plane of an XSpace while it streams by: totals per event name, spans per line and name, and
// the first events that carry numbers. Names stand behind the events in the file, so everything is
// kept under the ids of the plane's own tables and named when the plane is over.
//
// Memory is bounded by constants, whatever the plane's size: when the spans fill up, those of one
// name and line that lie close together are joined (resolution_ps() says how close).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/profile/spans.h"

namespace tfpm {

// A number or text attached to an event or plane, still under the id of its name.
struct XStat {
  enum class Kind : std::uint8_t { kDouble, kUnsigned, kSigned, kText, kRef };
  std::int64_t id = 0;
  Kind kind = Kind::kSigned;
  std::uint64_t bits = 0;  // the value's bits; for kText an index into Plane::texts()
};

// Reads one XStat message, behind which eight bytes may be read; nullopt when it holds no value
// this program uses (bytes). `text` receives a string value.
std::optional<XStat> parse_stat(std::string_view message, std::string_view& text);

struct RawEvent {
  std::int64_t metadata_id = 0;
  std::int64_t begin = 0, duration = 0;  // picoseconds
  bool timed = false;                    // false = num_occurrences, no time
  std::int64_t occurrences = 1;
  // From the first stat field to the end of the event; eight bytes behind it may be read.
  std::string_view stats;
};

// Of one name in one plane. In one cache line: every event touches one of these.
struct alignas(64) EventTotals {
  std::int64_t metadata_id = 0;
  std::uint64_t count = 0;
  std::int64_t total = 0, self = 0, longest = 0;  // picoseconds
  // Its last span: line (from 1, 0 = none yet), place in spans(), end.
  std::uint32_t last_line = 0, last_span = 0;
  std::int64_t last_end = 0;
};

struct PlaneSpan {
  std::uint32_t line = 0, slot = 0;
  std::int64_t begin = 0, end = 0;
};

struct KeptEvent {
  std::uint32_t slot = 0, line = 0;
  std::int64_t begin = 0, duration = 0;
  std::uint32_t first_stat = 0, stats = 0;  // in Plane::stats()
};

class Plane {
 public:
  static constexpr std::size_t kMaxSpans = 800'000;
  static constexpr std::size_t kMaxSlots = 100'000;
  static constexpr std::size_t kMaxStats = 600'000;
  static constexpr std::size_t kMaxNameBytes = 300;

  std::string name;
  std::vector<std::string> lines;
  std::uint64_t events = 0, unusable = 0;  // unusable: times out of bounds, or too many names

  // Devices' events keep no stats.
  bool is_device() const { return name.compare(0, 8, "/device:") == 0; }

  // Takes over the memory of a plane that is done with, which is empty then.
  void recycle(Plane& done);
  void begin_line(std::int64_t timestamp_ns);
  void end_line(std::string line_name);
  void add(const RawEvent& event);
  void name_event(std::int64_t id, std::string_view text);
  void name_stat(std::int64_t id, std::string_view text);
  void add_plane_stat(std::string_view message);

  // Name of a slot's event, "event#17" when the table does not hold it.
  std::string event_name(std::size_t slot) const;
  // Id of the stat called `text`; nullopt when the plane has none.
  std::optional<std::int64_t> stat_id(std::string_view text) const;
  // Text of a kText or kRef value, else the number.
  std::string stat_text(const XStat& stat) const;
  std::optional<XStat> plane_stat(std::string_view text) const;
  std::optional<XStat> stat_of(const KeptEvent& event, std::int64_t id) const;

  const std::vector<EventTotals>& totals() const { return totals_; }
  const std::vector<PlaneSpan>& spans() const { return spans_; }
  const std::vector<KeptEvent>& kept() const { return kept_; }
  // Span of all timed events; nullopt when there was none.
  std::optional<Span> extent() const;
  std::int64_t resolution_ps() const { return gap_; }

 private:
  struct Open {
    std::int64_t end = 0;
    std::uint32_t slot = 0;
  };
  using Names = std::unordered_map<std::int64_t, std::string>;

  std::optional<std::uint32_t> new_slot(std::int64_t id);
  std::optional<std::uint32_t> slot_of(std::int64_t id) {
    // Nearly all ids are small and known.
    const auto at = static_cast<std::uint64_t>(id);
    if (at < dense_.size() && dense_[at] >= 0) return static_cast<std::uint32_t>(dense_[at]);
    return new_slot(id);
  }
  void add_span(std::uint32_t slot, std::int64_t begin, std::int64_t end);
  void account_self(std::uint32_t slot, std::int64_t begin, std::int64_t end);
  void keep(const RawEvent& event, std::uint32_t slot);
  std::int64_t gap_to_free_half();
  void compact();
  void keep_name(Names& names, std::int64_t id, std::string_view text);
  std::uint64_t text_index(std::string_view text);

  std::vector<std::int32_t> dense_;  // small metadata ids -> slot, -1 = none
  std::unordered_map<std::int64_t, std::uint32_t> sparse_;
  std::vector<EventTotals> totals_;
  std::vector<Open> open_;
  std::vector<PlaneSpan> spans_;
  std::vector<KeptEvent> kept_;
  std::vector<XStat> stats_, plane_stats_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint64_t> text_ids_;
  Names event_names_, stat_names_;
  std::size_t name_bytes_ = 0;
  std::int64_t line_base_ = 0;  // picoseconds
  std::optional<std::int64_t> epoch_ns_;
  bool line_usable_ = true;
  std::int64_t gap_ = 0;
  std::int64_t first_ = 0, last_ = 0;
  bool any_ = false;
};

}  // namespace tfpm
