#include "align/steps.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>

#include "align/attempts.h"
#include "align/buffering.h"

namespace tfpm {
namespace {

// Steps that a host may have dispatched beyond the one whose loss it waits for.
constexpr std::int64_t kDispatchDepth = 2;

// A "begin" marker opens its step: the one before it is complete.
std::int64_t completed_step(const Model& m, const MarkerInfo& k) {
  return m.opens_steps(k.stream) ? k.step - 1 : k.step;
}

void assign_markers(Model& m) {
  int stream = -1;
  std::int64_t late = 0;  // of the stream: 1 where markers open their steps
  for (MarkerInfo& k : m.markers) {
    const StreamInfo& s = m.streams[static_cast<std::size_t>(k.stream)];
    if (s.worker < 0) continue;
    if (k.stream != stream) late = m.opens_steps(k.stream) ? 1 : 0;
    stream = k.stream;
    WorkerInfo& w = m.workers[static_cast<std::size_t>(s.worker)];
    const int at = attempt_at(w, s, k.seq);
    if (at < 0) continue;
    AttemptInfo& a = w.attempts[static_cast<std::size_t>(at)];
    k.attempt = a.n;
    k.generation = a.generation;
    const std::int64_t done = k.step - late;
    if (!a.first_step) a.first_step = k.step;
    if (!a.last_step || done >= *a.last_step) {
      a.last_step = done;
      a.last_marker_us = k.time_us;
    }
  }
}

// A step that a later attempt of the same worker repeats is superseded: kept as evidence, left out
// of trends.
void mark_superseded(Model& m) {
  const auto ran_again = [&m](const MarkerInfo& k) {
    const int w = m.streams[static_cast<std::size_t>(k.stream)].worker;
    return w >= 0 && k.attempt && m.workers[static_cast<std::size_t>(w)].attempts.size() > 1;
  };
  // worker -> attempt -> first step
  std::map<int, std::map<std::int64_t, std::int64_t>> first_of_attempt;
  for (const MarkerInfo& k : m.markers) {
    if (!ran_again(k)) continue;
    const int w = m.streams[static_cast<std::size_t>(k.stream)].worker;
    const auto [it, fresh] = first_of_attempt[w].emplace(*k.attempt, k.step);
    if (!fresh) it->second = std::min(it->second, k.step);
  }
  for (MarkerInfo& k : m.markers) {
    if (!ran_again(k)) continue;
    const int w = m.streams[static_cast<std::size_t>(k.stream)].worker;
    const auto& attempts = first_of_attempt[w];
    for (auto later = attempts.upper_bound(*k.attempt); later != attempts.end(); ++later) {
      if (k.step >= later->second) k.superseded = true;
    }
  }
}

using Markers = std::span<const MarkerInfo>;

// Where each stream first says that something was restored; its end where it never does.
std::vector<std::int64_t> restore_places(const Model& m) {
  std::vector<std::int64_t> out(m.streams.size(), std::numeric_limits<std::int64_t>::max());
  for (const EventInfo& e : m.events) {
    if (e.stream < 0 || !e.tells_restore()) continue;
    std::int64_t& place = out[static_cast<std::size_t>(e.stream)];
    place = std::min(place, e.seq);
  }
  return out;
}

// Largest of the last six forward gaps of one stream in one generation (M of section 1.2).
std::int64_t marker_gap(Markers run) {
  std::int64_t gap = 1;
  std::size_t seen = 0;
  for (std::size_t i = run.size(); i-- > 1 && seen < 6;) {
    const std::int64_t d = run[i].step - run[i - 1].step;
    if (d <= 0) continue;
    gap = std::max(gap, d);
    ++seen;
  }
  return gap;
}

OptInt median_interval(Markers run) {
  std::vector<std::int64_t> gaps;
  for (std::size_t i = 1; i < run.size(); ++i) {
    const std::int64_t steps = run[i].step - run[i - 1].step;
    if (steps <= 0 || !run[i].time_us || !run[i - 1].time_us) continue;
    gaps.push_back((*run[i].time_us - *run[i - 1].time_us) / steps);
  }
  if (gaps.empty()) return std::nullopt;
  const auto mid = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::nth_element(gaps.begin(), mid, gaps.end());
  return *mid;
}

// Markers of one stream in one generation, which never goes back inside a stream.
std::vector<Markers> runs_of(Markers all) {
  std::vector<Markers> runs;
  std::size_t from = 0;
  for (std::size_t i = 1; i <= all.size(); ++i) {
    const bool same = i < all.size() && all[i].stream == all[from].stream &&
                      all[i].generation == all[from].generation;
    if (same) continue;
    runs.push_back(all.subspan(from, i - from));
    from = i;
  }
  return runs;
}

// Where no task of the first generation printed two markers: the next is as far from the only one
// as that is from the beginning, unless the run went on from something restored.
void judge_lone_markers(Model& m, const std::vector<Markers>& runs) {
  const std::vector<std::int64_t> restored = restore_places(m);
  OptInt gap;
  for (const Markers run : runs) {
    const MarkerInfo& k = run.front();
    if (!k.generation || *k.generation != 0) continue;
    if (run.size() > 1 || k.seq > restored[static_cast<std::size_t>(k.stream)]) return;
    gap = std::min(gap.value_or(completed_step(m, k)), completed_step(m, k));
  }
  if (gap) m.generations[0].granularity = std::max<std::int64_t>(1, *gap);
}

void fill_generations(Model& m) {
  const std::vector<Markers> runs = runs_of(m.markers);
  for (const Markers run : runs) {
    if (!run.front().generation) continue;
    GenerationInfo& g = m.generations[static_cast<std::size_t>(*run.front().generation)];
    g.granularity = std::max(g.granularity, marker_gap(run));
    const OptInt step_us = median_interval(run);
    if (step_us && (!g.step_us || *step_us > *g.step_us)) g.step_us = step_us;
  }
  judge_lone_markers(m, runs);
  for (const WorkerInfo& w : m.workers) {
    if (!w.trains()) continue;
    for (const AttemptInfo& a : w.attempts) {
      if (!a.last_step) continue;
      GenerationInfo& g = m.generations[static_cast<std::size_t>(a.generation)];
      g.frontier = std::max(g.frontier.value_or(*a.last_step), *a.last_step);
      g.common = std::min(g.common.value_or(*a.last_step), *a.last_step);
    }
  }
}

void place_between(const Model& m, Markers markers, EventInfo& e) {
  const auto after =
      std::upper_bound(markers.begin(), markers.end(), e.seq,
                       [](std::int64_t seq, const MarkerInfo& k) { return seq < k.seq; });
  const MarkerInfo* prev = after == markers.begin() ? nullptr : &*(after - 1);
  const MarkerInfo* next = after == markers.end() ? nullptr : &*after;
  // Never across a restart.
  if (prev != nullptr && prev->attempt != e.attempt) prev = nullptr;
  if (next != nullptr && next->attempt != e.attempt) next = nullptr;
  if (prev == nullptr) {
    e.phase = "init";
    e.step_quality = 0;
    return;
  }
  e.phase = "step";
  const std::int64_t done = completed_step(m, *prev);
  e.step_lo = done + 1;
  if (next != nullptr) {
    e.step_hi = std::max(*e.step_lo, completed_step(m, *next));
    e.step_quality = 3;
  } else {
    const auto g = static_cast<std::size_t>(e.generation.value_or(0));
    e.step_hi = done + m.generations[g].granularity;
    e.step_quality = 2;
  }
}

// A stream without markers of a worker whose other stream has them (stderr beside stdout): by its
// own stamp, when both are stamped. Never by position: a piped stdout is buffered (section 1.4).
void place_by_time(const Model& m, Markers markers, EventInfo& e) {
  if (!e.time_us || markers.empty()) return;
  const MarkerInfo* prev = nullptr;
  const MarkerInfo* next = nullptr;
  for (const MarkerInfo& k : markers) {
    if (!k.time_us || k.attempt != e.attempt) continue;
    if (*k.time_us <= *e.time_us) {
      prev = &k;
    } else if (next == nullptr) {
      next = &k;
    }
  }
  if (prev == nullptr) return;
  e.phase = "step";
  e.step_quality = 1;
  const std::int64_t done = completed_step(m, *prev);
  const std::int64_t margin = next == nullptr ? m.generations[0].granularity : 1;
  e.step_lo = std::max<std::int64_t>(0, done + (next == nullptr ? 1 : 0));
  e.step_hi = done + 1 + margin;
}

// In synchronous training nobody is further than the slowest allows (section 1.3); an end that is
// open beyond that closes there.
void tighten(const Model& m, EventInfo& e) {
  if (!m.synchronous || e.step_quality != 2) return;
  const GenerationInfo& g = m.generations[static_cast<std::size_t>(e.generation.value_or(0))];
  if (!g.common) return;
  const std::int64_t slowest = *g.common + g.granularity - 1;
  const std::int64_t most = slowest + 2 + kDispatchDepth;
  if (most >= *e.step_lo) e.step_hi = std::min(*e.step_hi, most);
}

// A step printed in the line itself beats everything (Q5).
bool place_by_own_number(EventInfo& e) {
  const std::string_view text = e.capture("step");
  std::int64_t step = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), step);
  if (ec != std::errc() || text.empty() || end != text.data() + text.size()) return false;
  e.step_lo = step;
  e.step_hi = step;
  e.step_quality = 5;
  e.phase = "step";
  return true;
}

void place_events(Model& m) {
  for (EventInfo& e : m.events) {
    if (e.worker < 0) continue;
    if (place_by_own_number(e)) continue;
    const Markers own = m.markers_of(e.stream);
    if (!own.empty() && m.streams[static_cast<std::size_t>(e.stream)].buffered.empty()) {
      place_between(m, own, e);
      tighten(m, e);
      continue;
    }
    for (const int other : m.workers[static_cast<std::size_t>(e.worker)].streams) {
      if (!e.step_lo) place_by_time(m, m.markers_of(other), e);
    }
  }
}

}  // namespace

void place_steps(Model& m) {
  assign_markers(m);
  mark_superseded(m);
  fill_generations(m);
  find_buffered_streams(m);
  place_events(m);
}

}  // namespace tfpm
