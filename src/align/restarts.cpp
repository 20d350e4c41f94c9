#include "align/restarts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>

namespace tfpm {
namespace {

// Texts of a process that starts up.
bool is_start_up(std::string_view signature) {
  constexpr std::string_view ids[] = {"b-absl-init",    "b-cuda-cpuonly",   "b-cpu-features",
                                      "server-started", "coord-init",       "coord-agent-connected",
                                      "mwms-config",    "mirrored-devices", "prog-replicas",
                                      "ckpt-restored",  "saver-restore",    "est-lifecycle"};
  return std::find(std::begin(ids), std::end(ids), signature) != std::end(ids);
}

// More than any two time zones are apart: no line reaches its file that late.
constexpr std::int64_t kDayUs = 26LL * 3600 * 1'000'000;

// Out of order, not again: its stamp is older as well. Older by days it is of another run.
bool is_late_line(const MarkerInfo& before, const MarkerInfo& k) {
  return before.time_us && k.time_us && *k.time_us < *before.time_us &&
         *before.time_us - *k.time_us < kDayUs;
}

// Start-up texts of each stream, in order of place.
std::map<int, std::vector<const EventInfo*>> start_up_texts(const Model& m) {
  std::map<int, std::vector<const EventInfo*>> out;
  for (const EventInfo& e : m.events) {
    if (e.stream >= 0 && is_start_up(e.signature)) out[e.stream].push_back(&e);
  }
  for (auto& [stream, texts] : out) {
    std::stable_sort(texts.begin(), texts.end(),
                     [](const EventInfo* a, const EventInfo* b) { return a->seq < b->seq; });
  }
  return out;
}

// Start-up texts between two places of a stream.
struct StartUp {
  OptInt first;         // where they begin
  bool server = false;  // a server was opened: a process does that once
};

StartUp start_up_between(const std::vector<const EventInfo*>& texts, std::int64_t after,
                         std::int64_t before) {
  StartUp out;
  auto it = std::upper_bound(texts.begin(), texts.end(), after,
                             [](std::int64_t seq, const EventInfo* e) { return seq < e->seq; });
  for (; it != texts.end() && (*it)->seq < before; ++it) {
    if (!out.first) out.first = (*it)->seq;
    out.server = out.server || (*it)->signature == "server-started";
  }
  return out;
}

void by_steps(Model& m) {
  const auto texts = start_up_texts(m);
  const std::vector<const EventInfo*> none;
  for (std::size_t stream = 0; stream < m.streams.size(); ++stream) {
    StreamInfo& s = m.streams[stream];
    const std::span<const MarkerInfo> run = m.markers_of(static_cast<int>(stream));
    if (s.attempt_starts.size() > 1) continue;  // process ids tell
    const auto found = texts.find(static_cast<int>(stream));
    const auto& own_texts = found == texts.end() ? none : found->second;
    std::int64_t period = 1;
    for (std::size_t i = 1; i <= run.size(); ++i) {
      const bool tail = i == run.size();
      const std::int64_t end = tail ? std::numeric_limits<std::int64_t>::max() : run[i].seq;
      const StartUp start = start_up_between(own_texts, run[i - 1].seq, end);
      const std::int64_t gap = tail ? 0 : run[i].step - run[i - 1].step;
      if (gap > 0) period = gap;
      const bool back = !tail && gap <= 0 && -gap >= period && run[i].step + 1 < run[i - 1].step &&
                        !is_late_line(run[i - 1], run[i]);
      // The new process begins at its first start-up text behind the last step of the old one, else
      // at its first step.
      if (back || start.server) {
        s.starts_by_step = s.starts_by_step || !start.first;
        s.attempt_starts.push_back(static_cast<std::uint64_t>(start.first.value_or(end)));
      }
    }
  }
}

// Texts that a process writes once, before it does anything.
bool is_first_text(const EventInfo& e) {
  constexpr std::string_view ids[] = {"b-absl-init", "b-cuda-cpuonly", "b-cpu-features",
                                      "server-started", "coord-init"};
  return std::find(std::begin(ids), std::end(ids), e.signature) != std::end(ids);
}

bool ends_process(const EventInfo& e) {
  return e.kind == "traceback" && e.capture("fatal") == "1";
}

// What may stand on either side of a border between two processes, by stream, in order of place.
std::map<int, std::vector<const EventInfo*>> borders(const Model& m) {
  std::map<int, std::vector<const EventInfo*>> out;
  for (const EventInfo& e : m.events) {
    if (e.stream < 0 || (!ends_process(e) && !is_first_text(e))) continue;
    if (m.streams[static_cast<std::size_t>(e.stream)].attempt_starts.size() > 1) continue;
    out[e.stream].push_back(&e);
  }
  for (auto& [stream, list] : out) {
    std::stable_sort(list.begin(), list.end(),
                     [](const EventInfo* a, const EventInfo* b) { return a->seq < b->seq; });
  }
  return out;
}

bool steps_between(const Model& m, int stream, std::int64_t from, std::int64_t to) {
  const std::span<const MarkerInfo> run = m.markers_of(stream);
  return std::any_of(run.begin(), run.end(),
                     [&](const MarkerInfo& k) { return k.seq > from && k.seq < to; });
}

// An uncaught exception is the last that a process does. The first texts of a process behind it
// are another's. So is a second uncaught exception where other logs show that tasks ran again; in
// a job that ran once it may be a child's.
void by_ends(Model& m) {
  const bool ran_again = std::any_of(m.streams.begin(), m.streams.end(), [](const StreamInfo& s) {
    return s.worker >= 0 && s.attempt_starts.size() > 1;
  });
  for (const auto& [stream, list] : borders(m)) {
    StreamInfo& s = m.streams[static_cast<std::size_t>(stream)];
    for (std::size_t i = 1; i < list.size(); ++i) {
      const EventInfo& before = *list[i - 1];
      const EventInfo& after = *list[i];
      if (!ends_process(before) || after.record_line == before.record_line) continue;
      if (ends_process(after) && !ran_again) continue;
      if (steps_between(m, stream, before.seq, after.seq)) continue;
      if (s.attempt_starts.empty()) s.attempt_starts.push_back(0);
      s.attempt_starts.push_back(static_cast<std::uint64_t>(after.seq));
    }
  }
}

}  // namespace

void find_restarts(Model& model) {
  by_steps(model);
  by_ends(model);
}

}  // namespace tfpm
