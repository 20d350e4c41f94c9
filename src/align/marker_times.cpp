// Durations that step lines print beside the step's own time: waiting for data, for collectives.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "align/marker_metrics.h"
#include "align/marker_values.h"

namespace tfpm {
namespace {

struct TimeSlot {
  std::size_t slot = 0;
  TimePart part = TimePart::kNone;
  double unit = 1;  // seconds
};

bool is_time(const Slot& slot, const SlotName& name) {
  const Quantity q = name.meaning.quantity;
  return slot.kind == SlotKind::kDuration || q == Quantity::kTime || q == Quantity::kStepTime;
}

// Slots of a member's line that are a named part of its step, without the step's own time.
std::vector<TimeSlot> slots_of(const NamedStream& stream, const FamilyMember& m) {
  const TemplateSeries& series = stream.series->templates[m.series];
  const std::vector<SlotName>& names = stream.names[m.series];
  const LineMetrics metrics = find_metrics(series, names, m.slot);
  std::vector<TimeSlot> out;
  for (std::size_t i = 0; i < series.slots.size(); ++i) {
    if (i == m.slot || metrics.step_time == i || !is_time(series.slots[i], names[i])) continue;
    const TimePart part = time_part(names[i].key);
    if (part == TimePart::kNone) continue;
    const double unit = names[i].meaning.unit_seconds;
    // A duration such as 118ms took its unit along.
    const bool has_unit = series.slots[i].kind == SlotKind::kDuration;
    out.push_back({i, part, has_unit || unit == 0 ? 1 : unit});
  }
  // The whole is there to compare its parts with.
  const bool parts = std::any_of(out.begin(), out.end(),
                                 [](const TimeSlot& t) { return t.part != TimePart::kWhole; });
  if (!parts) out.clear();
  return out;
}

}  // namespace

std::vector<MarkerTime> find_marker_times(const NamedStream& stream, const Family& family,
                                          const MarkerSeries& series) {
  std::vector<std::vector<TimeSlot>> slots;
  for (const FamilyMember& m : family.members) slots.push_back(slots_of(stream, m));
  std::map<std::string, std::vector<MarkerTime>> by_name;
  std::size_t next = 0;  // row
  for (const FamilyPoint& p : family.points) {
    while (next < series.rows.size() && series.rows[next].seq < p.seq) ++next;
    if (next == series.rows.size()) break;
    if (series.rows[next].seq != p.seq) continue;
    const std::size_t member = family.members[p.member].series;
    for (const TimeSlot& t : slots[p.member]) {
      const TemplateSeries& lines = stream.series->templates[member];
      const double seconds = value_at(lines.slots[t.slot], p.row) * t.unit;
      if (!std::isfinite(seconds) || seconds < 0 || seconds > 1e9) continue;
      const std::string& name = stream.names[member][t.slot].key;
      if (by_name.count(name) == 0 && by_name.size() == kMaxMarkerNames) continue;
      std::vector<MarkerTime>& rows = by_name[name];
      if (rows.empty() || rows.back().seq != p.seq) rows.push_back({name, p.seq, t.part, seconds});
    }
  }
  std::vector<MarkerTime> out;
  for (auto& [name, rows] : by_name) out.insert(out.end(), rows.begin(), rows.end());
  return out;
}

}  // namespace tfpm
