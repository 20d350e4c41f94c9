#include "align/buffering.h"

#include <algorithm>
#include <span>
#include <vector>

namespace tfpm {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kBlock = 4096;  // bytes; C and Python flush multiples of it
constexpr std::size_t kBurst = 20;     // lines that arrive together
constexpr std::int64_t kTogether = 1'000;
constexpr std::int64_t kSilenceSteps = 10;
constexpr std::size_t kAhead = 3;  // lines that run ahead of the steps around them
// Farther ahead is another clock's zone, not a buffer.
constexpr std::int64_t kFarAhead = 600 * kSecond;

using Markers = std::span<const MarkerInfo>;

std::int64_t median_step(Markers markers) {
  std::vector<std::int64_t> gaps;
  for (std::size_t i = 1; i < markers.size(); ++i) {
    const std::int64_t steps = markers[i].step - markers[i - 1].step;
    if (steps <= 0 || !markers[i].time_us || !markers[i - 1].time_us) continue;
    gaps.push_back((*markers[i].time_us - *markers[i - 1].time_us) / steps);
  }
  if (gaps.empty()) return 0;
  const auto mid = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), mid, gaps.end());
  return *mid;
}

// Many steps stamped at one instant by whoever collected them, then nothing for long: a flush.
// Stamps of whole seconds cannot tell.
bool comes_in_bursts(Markers markers) {
  const bool fine = std::any_of(markers.begin(), markers.end(), [](const MarkerInfo& k) {
    return k.time_us && *k.time_us % kSecond != 0;
  });
  if (!fine || markers.size() < 2 * kBurst) return false;
  // The average, as the median of steps that arrive together is nothing.
  const MarkerInfo &first = markers.front(), &last = markers.back();
  if (!first.time_us || !last.time_us || last.step <= first.step) return false;
  const std::int64_t step = (*last.time_us - *first.time_us) / (last.step - first.step);
  std::size_t together = 1, bursts = 0;
  for (std::size_t i = 1; i < markers.size(); ++i) {
    if (!markers[i].time_us || !markers[i - 1].time_us) return false;
    const std::int64_t gap = *markers[i].time_us - *markers[i - 1].time_us;
    if (gap <= kTogether) {
      ++together;
      continue;
    }
    if (together >= kBurst && gap >= kSilenceSteps * std::max(step, kTogether)) ++bursts;
    together = 1;
  }
  return bursts > 0;
}

// Other lines of the file carry stamps later than those of the steps that follow them.
bool others_run_ahead(const std::vector<const EventInfo*>& events, Markers markers) {
  const std::int64_t slack = std::max(2 * median_step(markers), kSecond / 10);
  std::size_t ahead = 0, inside = 0;
  for (const EventInfo* event : events) {
    const EventInfo& e = *event;
    if (!e.time_us) continue;
    const auto next =
        std::upper_bound(markers.begin(), markers.end(), e.seq,
                         [](std::int64_t seq, const MarkerInfo& k) { return seq < k.seq; });
    if (next == markers.begin() || next == markers.end() || !next->time_us) continue;
    if (next->attempt != e.attempt) continue;
    ++inside;
    const std::int64_t lead = *e.time_us - *next->time_us;
    if (lead > slack && lead < kFarAhead) ++ahead;
  }
  return ahead >= kAhead && 2 * ahead >= inside;
}

// The end of the run is told in front of its first step.
bool ends_before_it_steps(const std::vector<const EventInfo*>& events, const Markers& markers) {
  return std::any_of(events.begin(), events.end(), [&](const EventInfo* e) {
    return e->tells_end() && e->seq < markers.front().seq && e->attempt == markers.front().attempt;
  });
}

}  // namespace

void find_buffered_streams(Model& m) {
  std::vector<std::vector<const EventInfo*>> events(m.streams.size());
  for (const EventInfo& e : m.events) {
    if (e.stream >= 0) events[static_cast<std::size_t>(e.stream)].push_back(&e);
  }
  for (std::size_t i = 0; i < m.streams.size(); ++i) {
    StreamInfo& s = m.streams[i];
    const Markers markers = m.markers_of(static_cast<int>(i));
    if (markers.empty()) continue;
    if (s.ends_torn && s.source_bytes && *s.source_bytes % kBlock == 0) {
      s.buffered = "torn-block";
    } else if (comes_in_bursts(markers)) {
      s.buffered = "bursts";
    } else if (others_run_ahead(events[i], markers) || ends_before_it_steps(events[i], markers)) {
      s.buffered = "overtaken";
    }
  }
}

}  // namespace tfpm
