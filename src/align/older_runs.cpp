#include "align/older_runs.h"

#include <algorithm>
#include <span>
#include <string>

namespace tfpm {
namespace {

// The last marker in front of a place and the first at or behind it; nullptr where there is none.
std::pair<const MarkerInfo*, const MarkerInfo*> around(const Model& m, int stream,
                                                       std::int64_t place) {
  const std::span<const MarkerInfo> run = m.markers_of(stream);
  const auto next =
      std::find_if(run.begin(), run.end(), [&](const MarkerInfo& k) { return k.seq >= place; });
  return {next == run.begin() ? nullptr : &*(next - 1), next == run.end() ? nullptr : &*next};
}

}  // namespace

OlderRuns::OlderRuns(const Model& m) {
  for (const EventInfo& e : m.events) {
    const bool fatal = e.kind == "crash" || (e.kind == "traceback" && e.capture("fatal") == "1");
    if (e.stream >= 0 && (fatal || e.tells_end())) ends_[e.stream].push_back(e.seq);
  }
  for (auto& [stream, places] : ends_) std::sort(places.begin(), places.end());
  for (const ExitInfo& e : m.exits) {
    if (e.what == "started" && e.pid && !e.task.empty()) pids_[e.task].push_back(*e.pid);
  }
}

// The launcher's process writes behind the place and not before it, a run ended there by its own
// words, or its process, which another id tells from the one before, does steps again.
bool OlderRuns::is_real(const Model& m, const WorkerInfo& w, int stream, std::int64_t start) const {
  const StreamInfo& s = m.streams[static_cast<std::size_t>(stream)];
  if (const auto pids = pids_.find(w.name); pids != pids_.end()) {
    bool before = false;
    bool behind = false;
    for (const StreamClaim& c : s.claims) {
      if (c.kind != "pid" || !c.byte_offset) continue;
      const bool launched = std::any_of(pids->second.begin(), pids->second.end(),
                                        [&](auto pid) { return c.value == std::to_string(pid); });
      if (launched) (*c.byte_offset < start ? before : behind) = true;
    }
    if (before) return false;
    if (behind) return true;
  }
  const auto [last, next] = around(m, stream, start);
  if (const auto ends = ends_.find(stream); ends != ends_.end()) {
    const auto end = std::lower_bound(ends->second.begin(), ends->second.end(), start);
    if (end != ends->second.begin() && (last == nullptr || *(end - 1) > last->seq)) return true;
  }
  return !s.starts_by_step && last != nullptr && next != nullptr && next->step <= last->step;
}

void OlderRuns::keep_real_starts(Model& m, const WorkerInfo& w, std::size_t launched) const {
  for (const int i : w.streams) {
    std::vector<std::uint64_t>& starts = m.streams[static_cast<std::size_t>(i)].attempt_starts;
    for (std::size_t at = 1; starts.size() > launched && at < starts.size();) {
      if (is_real(m, w, i, static_cast<std::int64_t>(starts[at]))) {
        ++at;
      } else {
        starts.erase(starts.begin() + static_cast<std::ptrdiff_t>(at));
      }
    }
  }
}

}  // namespace tfpm
