// Where steps begin and end (formats.md 6.5).
#include <algorithm>
#include <charconv>
#include <map>

#include "parsers/detail/text.h"
#include "parsers/profile/space_rows.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxSteps = 5000;

// Steps of a training loop follow each other; what lies inside another of its kind is left out.
std::vector<StepMark> in_order(std::vector<StepMark> marks) {
  std::sort(marks.begin(), marks.end(), [](const StepMark& a, const StepMark& b) {
    return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end > b.span.end;
  });
  std::vector<StepMark> out;
  for (const StepMark& m : marks) {
    if (!out.empty() && m.span.begin < out.back().span.end) continue;
    if (out.size() >= kMaxSteps) break;
    out.push_back(m);
  }
  return out;
}

// Which of several marked loops is the training: by name where it says so, else the longest.
int rank(std::string_view name) {
  if (contains(name, "/")) return 1;
  if (name.substr(0, 5) == "train" || name == "Profiled batch" ||
      name.substr(0, 12) == "TraceContext") {
    return 3;
  }
  return name.substr(0, 4) == "test" || name.substr(0, 7) == "predict" ? 0 : 2;
}

}  // namespace

std::vector<StepMark> host_steps(const Plane& plane) {
  const std::optional<std::int64_t> id = plane.stat_id("step_num");
  if (!id) return {};
  std::map<std::uint32_t, std::vector<StepMark>> by_slot;
  for (const KeptEvent& e : plane.kept()) {
    const std::optional<XStat> stat = plane.stat_of(e, *id);
    if (!stat) continue;
    StepMark m{std::nullopt, {e.begin, e.begin + e.duration}};
    if (const auto number = parse_int(plane.stat_text(*stat))) m.step = *number;
    by_slot[e.slot].push_back(m);
  }
  std::vector<StepMark>* best = nullptr;
  int best_rank = -1;
  for (auto& [slot, marks] : by_slot) {
    const int r = rank(plane.event_name(slot));
    if (r > best_rank || (r == best_rank && marks.size() > best->size())) {
      best = &marks;
      best_rank = r;
    }
  }
  return best == nullptr ? std::vector<StepMark>() : in_order(std::move(*best));
}

std::vector<StepMark> device_steps(const Plane& plane, std::string_view& basis) {
  for (const std::string_view line : {"Steps", "XLA Modules"}) {
    std::vector<bool> wanted;
    for (const std::string& each : plane.lines) wanted.push_back(each == line);
    if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) continue;
    std::vector<StepMark> marks;
    for (const PlaneSpan& s : plane.spans()) {
      if (!wanted[s.line - 1]) continue;
      StepMark m{std::nullopt, {s.begin, s.end}};
      if (const auto number = parse_int(plane.event_name(s.slot))) m.step = *number;
      marks.push_back(m);
    }
    if (marks.empty()) continue;
    basis = line == "Steps" ? "device-steps" : "module";
    return in_order(std::move(marks));
  }
  return {};
}

}  // namespace tfpm
