#include "align/last_markers.h"

#include <algorithm>

namespace tfpm {
namespace {

// What a process holds back at most: blocks of 4 or 8 KiB, and its exception stands before them.
constexpr std::int64_t kFlushBytes = 16'384;
constexpr std::int64_t kAtOnceUs = 1'000;  // between two lines of one flush

// The markers around a fatal exception.
struct Flush {
  const EventInfo* fatal = nullptr;
  std::int64_t before = -1;  // last marker in front of it
  std::int64_t behind = 0;   // number of markers behind it
  OptInt first_us, last_us;  // stamps of those
};

// A launcher's code says that the program ended itself; without one the form of the file may.
bool ended_by_itself(const Model& m, const EventInfo& e) {
  if (!m.streams[static_cast<std::size_t>(e.stream)].buffered.empty()) return true;
  const auto& attempts = m.workers[static_cast<std::size_t>(e.worker)].attempts;
  return std::any_of(attempts.begin(), attempts.end(), [&](const AttemptInfo& a) {
    return a.n == e.attempt.value_or(0) && a.exit_code && *a.exit_code >= 1 && *a.exit_code <= 127;
  });
}

// Steps that went on would take their time; a flush takes none, or carries older stamps.
bool came_at_once(const Flush& f) {
  if (!f.last_us) return true;
  if (f.fatal->time_us && *f.last_us <= *f.fatal->time_us) return true;
  return f.behind > 1 && *f.last_us - *f.first_us <= f.behind * kAtOnceUs;
}

}  // namespace

std::map<StreamAttempt, std::int64_t> last_markers(const Model& m) {
  std::map<StreamAttempt, std::int64_t> last;
  for (const MarkerInfo& k : m.markers) {
    if (k.attempt) last[{k.stream, *k.attempt}] = k.seq;
  }
  std::map<StreamAttempt, Flush> flushes;
  for (const EventInfo& e : m.events) {
    if (e.worker < 0 || e.kind != "traceback" || e.capture("fatal") != "1") continue;
    const auto at = last.find({e.stream, e.attempt.value_or(0)});
    if (at == last.end()) continue;
    flushes[at->first].fatal = &e;  // the last one
  }
  for (const MarkerInfo& k : m.markers) {
    if (!k.attempt) continue;
    const auto at = flushes.find({k.stream, *k.attempt});
    if (at == flushes.end()) continue;
    Flush& f = at->second;
    if (k.seq < f.fatal->seq) {
      f.before = k.seq;
      continue;
    }
    ++f.behind;
    if (!f.first_us) f.first_us = k.time_us;
    if (k.time_us) f.last_us = k.time_us;
  }
  for (const auto& [key, f] : flushes) {
    const bool near = last[key] - f.fatal->seq <= kFlushBytes;
    if (f.behind > 0 && near && came_at_once(f) && ended_by_itself(m, *f.fatal)) {
      last[key] = f.before;
    }
  }
  return last;
}

}  // namespace tfpm
