#include "align/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tfpm {

std::string_view EventInfo::capture(std::string_view name) const {
  const auto it = captures.find(name);
  return it == captures.end() ? std::string_view() : std::string_view(it->second);
}

std::string_view to_string(Ending ending) {
  switch (ending) {
    case Ending::kUnknown:
      return "unknown";
    case Ending::kFinished:
      return "finished";
    case Ending::kExcused:
      return "excused";
    case Ending::kLeftEarly:
      return "left-early";
    case Ending::kToldToGo:
      return "told-to-go";
    case Ending::kCleanedUp:
      return "cleaned-up";
    case Ending::kCrashed:
      return "crashed";
    case Ending::kVictim:
      return "victim";
    case Ending::kSilent:
      return "silent";
    case Ending::kCut:
      return "cut";
    case Ending::kAbsent:
      return "absent";
  }
  return "unknown";
}

void Model::index_workers() {
  worker_of_name.clear();
  for (std::size_t i = 0; i < workers.size(); ++i) {
    if (workers[i].instance == 0) worker_of_name.emplace(workers[i].name, static_cast<int>(i));
  }
}

int Model::find_worker(std::string_view name) const {
  const auto it = worker_of_name.find(name);
  return it == worker_of_name.end() ? -1 : it->second;
}

int Model::stream_index(std::int64_t id) const {
  const auto it = std::lower_bound(streams.begin(), streams.end(), id,
                                   [](const StreamInfo& s, std::int64_t v) { return s.id < v; });
  return it == streams.end() || it->id != id ? -1 : static_cast<int>(it - streams.begin());
}

std::span<const MarkerInfo> Model::markers_of(int stream) const {
  const auto first =
      std::lower_bound(markers.begin(), markers.end(), stream,
                       [](const MarkerInfo& k, int wanted) { return k.stream < wanted; });
  const auto last =
      std::upper_bound(first, markers.end(), stream,
                       [](int wanted, const MarkerInfo& k) { return wanted < k.stream; });
  return {first, last};
}

bool Model::opens_steps(int stream) const {
  const auto it = marker_edges.find(streams[static_cast<std::size_t>(stream)].id);
  return it != marker_edges.end() && it->second == "begin";
}

std::int64_t Model::last_generation() const {
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(generations.size()) - 1);
}

std::string task_name(std::string_view type, std::string_view index) {
  return fmt::format("{}-{}", type, index);
}

bool split_task_name(std::string_view name, std::string& type, std::int64_t& index) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || dash == 0 || dash + 1 == name.size()) return false;
  const std::string_view digits = name.substr(dash + 1);
  const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (ec != std::errc() || end != digits.data() + digits.size()) return false;
  type = std::string(name.substr(0, dash));
  return true;
}

}  // namespace tfpm
