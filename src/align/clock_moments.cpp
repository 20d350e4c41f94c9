#include "align/clock_moments.h"

#include <algorithm>
#include <map>
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

// The track of stamps that were taken at those moments, in their order.
ClockTrack track_of(const std::vector<std::uint32_t>& moments,
                    const std::vector<std::int64_t>& times, std::int64_t origin_us) {
  ClockTrack out;
  const std::int64_t rounding = resolution(times);
  out.rounding_us = static_cast<double>(rounding);
  // A rounded stamp stands for the middle of what it was cut from.
  const double half = rounding > 1 ? static_cast<double>(rounding) / 2 : 0;
  out.stamps.reserve(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    out.stamps.push_back({moments[i], static_cast<double>(times[i] - origin_us) + half});
  }
  return out;
}

// Tasks of a map by task, the leader first: of two clocks it is the one that the other is measured
// by.
template <typename Map>
std::vector<int> leader_first(const Model& m, const Map& by_worker) {
  std::vector<int> out;
  for (const bool leader : {true, false}) {
    for (const auto& [worker, stamps] : by_worker) {
      if (m.workers[static_cast<std::size_t>(worker)].leader == leader) out.push_back(worker);
    }
  }
  return out;
}

// Generation and step.
using StepKey = std::pair<std::int64_t, std::int64_t>;

StepKey key_of(const MarkerInfo& k) {
  return {*k.generation, k.step};
}

// Numbers keys in their order. Most are asked for right behind the one before, so most look-ups
// find their place at once.
class KeyNumbers {
 public:
  void add(const StepKey& key) {
    if (!follows(key)) last_ = numbers_.emplace(key, 0).first;
  }
  void number_all() {
    std::uint32_t number = 0;
    for (auto& [key, value] : numbers_) value = number++;
  }
  std::uint32_t of(const StepKey& key) {
    if (!follows(key)) last_ = numbers_.find(key);
    return last_->second;
  }
  const std::map<StepKey, std::uint32_t>& all() const { return numbers_; }

 private:
  bool follows(const StepKey& key) {
    return last_ != numbers_.end() && ++last_ != numbers_.end() && last_->first == key;
  }

  std::map<StepKey, std::uint32_t> numbers_;
  std::map<StepKey, std::uint32_t>::iterator last_ = numbers_.end();
};

// Markers of one task by step, each step once.
void order_by_step(const std::vector<MarkerInfo>& markers, std::vector<std::uint32_t>& own) {
  const auto key = [&](std::uint32_t i) { return key_of(markers[i]); };
  const auto risen = [&](std::uint32_t a, std::uint32_t b) { return !(key(a) < key(b)); };
  if (std::adjacent_find(own.begin(), own.end(), risen) == own.end()) return;
  std::stable_sort(own.begin(), own.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  const auto again = [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); };
  own.erase(std::unique(own.begin(), own.end(), again), own.end());
}

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

// Collects stamps of named moments; a moment counts once per task, as it comes first.
class LifeStamps {
 public:
  using Key = std::tuple<std::int64_t, std::string, std::string>;  // generation, what, which

  explicit LifeStamps(const Model& m) : m_(m) {}

  void add(int worker, const Key& key, std::int64_t time_us) {
    moments_.emplace(key, 0);
    Stamps& own = by_worker_.try_emplace(worker, Stamps{time_us, {}}).first->second;
    own.by_key.emplace(key, time_us);
  }

  // Moments numbered in order of their keys, stamps in order of time.
  SyncMoments take() && {
    SyncMoments out;
    std::uint32_t number = 0;
    for (auto& [key, moment] : moments_) moment = number++;
    if (!by_worker_.empty()) out.origin_us = by_worker_.begin()->second.first_us;
    for (const int w : leader_first(m_, by_worker_)) {
      std::vector<std::pair<std::int64_t, std::uint32_t>> stamps;
      for (const auto& [key, time_us] : by_worker_[w].by_key)
        stamps.emplace_back(time_us, moments_[key]);
      std::sort(stamps.begin(), stamps.end());
      std::vector<std::uint32_t> moments;
      std::vector<std::int64_t> times;
      for (const auto& [time_us, moment] : stamps) {
        moments.push_back(moment);
        times.push_back(time_us);
      }
      out.tracks.push_back(track_of(moments, times, out.origin_us));
      out.workers.push_back(w);
    }
    return out;
  }

 private:
  struct Stamps {
    std::int64_t first_us = 0;
    std::map<Key, std::int64_t> by_key;
  };

  const Model& m_;
  std::map<Key, std::uint32_t> moments_;
  std::map<int, Stamps> by_worker_;
};

}  // namespace

SyncMoments step_moments(const Model& m) {
  SyncMoments out;
  if (!m.synchronous) return out;
  KeyNumbers numbers;
  std::map<int, std::vector<std::uint32_t>> by_worker;  // indexes of markers
  for (std::size_t i = 0; i < m.markers.size(); ++i) {
    const MarkerInfo& k = m.markers[i];
    const int w = m.streams[static_cast<std::size_t>(k.stream)].worker;
    if (w < 0 || !k.time_us || !k.generation) continue;
    const WorkerInfo& worker = m.workers[static_cast<std::size_t>(w)];
    if (!worker.trains() || (k.superseded && runs_in(worker, *k.generation) > 1)) continue;
    numbers.add(key_of(k));
    by_worker[w].push_back(static_cast<std::uint32_t>(i));
  }
  if (by_worker.empty()) return out;
  numbers.number_all();
  out.origin_us = *m.markers[by_worker.begin()->second.front()].time_us;
  for (const int w : leader_first(m, by_worker)) {
    std::vector<std::uint32_t>& own = by_worker[w];
    order_by_step(m.markers, own);
    std::vector<std::uint32_t> moments;
    std::vector<std::int64_t> times;
    for (const std::uint32_t i : own) {
      moments.push_back(numbers.of(key_of(m.markers[i])));
      times.push_back(*m.markers[i].time_us);
    }
    out.tracks.push_back(track_of(moments, times, out.origin_us));
    out.workers.push_back(w);
    out.markers.push_back(std::move(own));
  }
  std::int64_t generation = -1;
  for (const auto& [key, number] : numbers.all()) {
    out.follows.push_back(key.first == generation);
    generation = key.first;
  }
  return out;
}

SyncMoments life_moments(const Model& m) {
  LifeStamps out(m);
  for (const EventInfo& e : m.events) {
    if (e.worker < 0 || !e.time_us || !e.generation) continue;
    if (marks_all(e.signature)) {
      out.add(e.worker, {*e.generation, e.signature, std::string(e.capture("barrier"))},
              *e.time_us);
    } else if (e.signature == "ckpt-saved" && e.has("prefix")) {
      out.add(e.worker, {*e.generation, e.signature, file_name(e.capture("prefix"))}, *e.time_us);
    }
    // Who quotes a gRPC status in full repeats the moment it was made at (section 2.2): the task
    // that met the error, and those it was handed on to within the second.
    if (e.has("created")) {
      out.add(e.worker, {*e.generation, "created", std::string(e.capture("created"))}, *e.time_us);
    }
    // The leader's note of a task and that task's own word are a pair.
    if (e.signature == "coord-task-connected") {
      out.add(e.worker,
              {*e.generation, "connected", task_name(e.capture("job"), e.capture("peer"))},
              *e.time_us);
    } else if (e.signature == "coord-agent-connected") {
      out.add(e.worker,
              {*e.generation, "connected", m.workers[static_cast<std::size_t>(e.worker)].name},
              *e.time_us);
    }
  }
  return std::move(out).take();
}

}  // namespace tfpm
