#include "align/clock_moments.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace tfpm {
namespace {

// Coarsest first; a stamp that is no multiple of any has a resolution of a microsecond.
constexpr std::int64_t kResolutions[] = {60'000'000, 1'000'000, 100'000, 10'000, 1'000, 100, 10};

std::int64_t resolution(const std::vector<std::int64_t>& stamps) {
  for (const std::int64_t r : kResolutions) {
    const bool all =
        std::all_of(stamps.begin(), stamps.end(), [r](std::int64_t us) { return us % r == 0; });
    if (all) return r;
  }
  return 1;
}

template <typename Key>
struct Stamped {
  Key key;
  std::int64_t time_us = 0;
  StampPlace place;
};

// Collects stamps of named moments; a moment counts once per task.
template <typename Key>
class Collector {
 public:
  explicit Collector(const Model& m) : m_(m) {}

  void add(int worker, const Key& key, std::int64_t time_us, StampPlace place) {
    moments_.emplace(key, 0);
    by_worker_[worker].push_back({key, time_us, place});
  }

  // Moments numbered in order of their keys, stamps in order of `before`. The leader's track comes
  // first: of two clocks it is the one that the other is measured by.
  template <typename Before>
  SyncMoments take(Before before) {
    SyncMoments out;
    if (by_worker_.empty()) return out;
    std::uint32_t number = 0;
    for (auto& [key, moment] : moments_) moment = number++;
    out.origin_us = by_worker_.begin()->second.front().time_us;
    for (auto& [worker, stamps] : by_worker_) {
      keep_first_of_each(stamps);
      std::sort(stamps.begin(), stamps.end(), before);
    }
    for (const bool leader : {true, false}) {
      for (const auto& [worker, stamps] : by_worker_) {
        if (m_.workers[static_cast<std::size_t>(worker)].leader == leader) {
          out.tasks.push_back(track_of(worker, stamps, out.origin_us));
        }
      }
    }
    return out;
  }

  const std::map<Key, std::uint32_t>& moments() const { return moments_; }

 private:
  // Steps come in their order and need no set of what was seen, which took more memory than the
  // stamps themselves.
  static void keep_first_of_each(std::vector<Stamped<Key>>& stamps) {
    const auto risen = [](const auto& a, const auto& b) { return !(a.key < b.key); };
    if (std::adjacent_find(stamps.begin(), stamps.end(), risen) == stamps.end()) return;
    std::set<Key> seen;
    const auto again = [&](const auto& s) { return !seen.insert(s.key).second; };
    stamps.erase(std::remove_if(stamps.begin(), stamps.end(), again), stamps.end());
  }

  TaskTrack track_of(int worker, const std::vector<Stamped<Key>>& stamps,
                     std::int64_t origin_us) const {
    TaskTrack out;
    out.worker = worker;
    std::vector<std::int64_t> times;
    times.reserve(stamps.size());
    for (const auto& s : stamps) times.push_back(s.time_us);
    const std::int64_t rounding = resolution(times);
    out.track.rounding_us = static_cast<double>(rounding);
    // A rounded stamp stands for the middle of what it was cut from.
    const double half = rounding > 1 ? static_cast<double>(rounding) / 2 : 0;
    for (const auto& s : stamps) {
      out.places.push_back(s.place);
      out.track.stamps.push_back(
          {moments_.at(s.key), static_cast<double>(s.time_us - origin_us) + half});
    }
    return out;
  }

  const Model& m_;
  std::map<Key, std::uint32_t> moments_;
  std::map<int, std::vector<Stamped<Key>>> by_worker_;
};

// Signatures whose first line in a run marks a moment of all tasks.
bool marks_all(std::string_view signature) {
  constexpr std::string_view ids[] = {
      "coord-agent-connected", "mwms-collective-enabled", "mwms-ready",
      "coord-barrier-passed",  "preempt-notified",        "prog-finished"};
  return std::find(std::begin(ids), std::end(ids), signature) != std::end(ids);
}

std::ptrdiff_t runs_in(const WorkerInfo& w, std::int64_t generation) {
  return std::count_if(w.attempts.begin(), w.attempts.end(),
                       [generation](const AttemptInfo& a) { return a.generation == generation; });
}

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace

SyncMoments step_moments(const Model& m) {
  if (!m.synchronous) return {};
  Collector<std::pair<std::int64_t, std::int64_t>> out(m);
  for (const MarkerInfo& k : m.markers) {
    const int w = m.streams[static_cast<std::size_t>(k.stream)].worker;
    if (w < 0 || !k.time_us || !k.generation) continue;
    const WorkerInfo& worker = m.workers[static_cast<std::size_t>(w)];
    if (!worker.trains() || (k.superseded && runs_in(worker, *k.generation) > 1)) continue;
    out.add(w, {*k.generation, k.step}, *k.time_us, {k.stream, k.seq});
  }
  SyncMoments moments = out.take([](const auto& a, const auto& b) { return a.key < b.key; });
  std::int64_t generation = -1;
  for (const auto& [key, number] : out.moments()) {
    moments.follows.push_back(key.first == generation);
    generation = key.first;
  }
  return moments;
}

SyncMoments life_moments(const Model& m) {
  Collector<std::tuple<std::int64_t, std::string, std::string>> out(m);
  for (const EventInfo& e : m.events) {
    if (e.worker < 0 || !e.time_us || !e.generation) continue;
    const StampPlace place{e.stream, e.seq};
    if (marks_all(e.signature)) {
      out.add(e.worker, {*e.generation, e.signature, std::string(e.capture("barrier"))}, *e.time_us,
              place);
    } else if (e.signature == "ckpt-saved" && e.has("prefix")) {
      out.add(e.worker, {*e.generation, e.signature, file_name(e.capture("prefix"))}, *e.time_us,
              place);
    }
    // The leader's note of a task and that task's own word are a pair.
    if (e.signature == "coord-task-connected") {
      out.add(e.worker,
              {*e.generation, "connected", task_name(e.capture("job"), e.capture("peer"))},
              *e.time_us, place);
    } else if (e.signature == "coord-agent-connected") {
      out.add(e.worker,
              {*e.generation, "connected", m.workers[static_cast<std::size_t>(e.worker)].name},
              *e.time_us, place);
    }
  }
  return out.take([](const auto& a, const auto& b) {
    return std::tie(a.time_us, a.key) < std::tie(b.time_us, b.key);
  });
}

}  // namespace tfpm
