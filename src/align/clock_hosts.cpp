#include "align/clock_hosts.h"

#include <algorithm>
#include <map>

namespace tfpm {
namespace {

// Its stamps are other moments of the run than those by which the neighbour is known.
constexpr double kNeighbourError = 100e3;

struct Life {
  std::int64_t from_us = 0, to_us = 0;
};

// First and last stamp of all that a task wrote.
std::optional<Life> life_of(const Model& m, const WorkerInfo& w) {
  std::optional<Life> out;
  for (const int i : w.streams) {
    const StreamInfo& s = m.streams[static_cast<std::size_t>(i)];
    if (!s.first_us || !s.last_us) continue;
    const auto [from, to] = std::minmax(*s.first_us, *s.last_us);
    if (!out) out = Life{from, to};
    out->from_us = std::min(out->from_us, from);
    out->to_us = std::max(out->to_us, to);
  }
  return out;
}

bool lived_together(const Model& m, const WorkerInfo& a, const WorkerInfo& b) {
  const std::optional<Life> x = life_of(m, a), y = life_of(m, b);
  return x && y && x->from_us <= y->to_us && y->from_us <= x->to_us;
}

}  // namespace

void share_host_clocks(Model& m) {
  std::map<std::string_view, const WorkerInfo*> best;  // by host: the smallest error
  for (const WorkerInfo& w : m.workers) {
    if (w.host.empty() || !w.clock.offset_us || !w.clock.error_us) continue;
    const auto [it, fresh] = best.emplace(w.host, &w);
    if (!fresh && *w.clock.error_us < *it->second->clock.error_us) it->second = &w;
  }
  for (WorkerInfo& w : m.workers) {
    if (!w.has_log || w.clock.offset_us) continue;
    const auto found = best.find(w.host);
    if (found == best.end() || !lived_together(m, *found->second, w)) continue;
    const WorkerClock& known = found->second->clock;
    w.clock.spans = known.spans;
    w.clock.offset_us = known.offset_us;
    w.clock.error_us = *known.error_us + kNeighbourError;
    w.clock.rung = "host";
    w.clock.quality = "C";
  }
}

}  // namespace tfpm
