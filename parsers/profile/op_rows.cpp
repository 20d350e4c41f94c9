// Longest ops, stages of tf.data, and the threads that make batches.
#include <algorithm>
#include <map>

#include "parsers/detail/text.h"
#include "parsers/profile/space_rows.h"

namespace tfpm {
namespace {

constexpr std::size_t kTopOps = 40;
constexpr std::size_t kTopIterators = 40;
constexpr std::size_t kTopProducers = 8;

std::int64_t micros(std::int64_t ps) {
  return ps / 1'000'000;
}

struct Named {
  std::string name;
  EventTotals totals;
};

// Longest first; equal ones by name, so that the order does not depend on ids.
std::vector<Named> sorted(std::vector<Named> list, std::size_t limit) {
  std::sort(list.begin(), list.end(), [](const Named& a, const Named& b) {
    return a.totals.self != b.totals.self ? a.totals.self > b.totals.self : a.name < b.name;
  });
  if (list.size() > limit) list.resize(limit);
  return list;
}

// Names that stand only in lines that repeat others (formats.md 6.3), by slot.
std::vector<bool> derived_names(const Plane& plane) {
  std::vector<bool> derived(plane.totals().size(), plane.is_device());
  if (!plane.is_device()) return derived;
  std::vector<bool> derived_line;
  for (const std::string& line : plane.lines) derived_line.push_back(is_derived_line(line));
  for (const PlaneSpan& s : plane.spans()) {
    if (!derived_line[s.line - 1]) derived[s.slot] = false;
  }
  return derived;
}

}  // namespace

std::vector<Row> op_rows(const Plane& plane, const std::vector<EventClass>& classes) {
  const std::vector<bool> derived = derived_names(plane);
  std::vector<Named> list;
  for (std::size_t slot = 0; slot < plane.totals().size(); ++slot) {
    const EventTotals& t = plane.totals()[slot];
    if (t.self > 0 && !derived[slot]) list.push_back({plane.event_name(slot), t});
  }
  // Classes are by slot, and slots by id: found again through the name's own id.
  std::map<std::int64_t, EventClass> class_of;
  for (std::size_t slot = 0; slot < classes.size(); ++slot) {
    class_of[plane.totals()[slot].metadata_id] = classes[slot];
  }
  std::vector<Row> out;
  for (const Named& n : sorted(std::move(list), kTopOps)) {
    const std::string_view type = op_type_of(n.name);
    out.push_back({"profile_op",
                   {{"plane", plane.name},
                    {"name", n.name},
                    {"type", type.empty() ? null_value() : text_value(type)},
                    {"class", text_value(to_string(class_of[n.totals.metadata_id]))},
                    {"count", int_value(n.totals.count)},
                    {"total_us", micros(n.totals.total)},
                    {"self_us", micros(n.totals.self)},
                    {"max_us", micros(n.totals.longest)}}});
  }
  return out;
}

std::vector<Row> iterator_rows(const Plane& plane) {
  std::vector<Named> list;
  for (std::size_t slot = 0; slot < plane.totals().size(); ++slot) {
    std::string name = plane.event_name(slot);
    if (name.compare(0, 10, "Iterator::") == 0) {
      list.push_back({std::move(name), plane.totals()[slot]});
    }
  }
  std::vector<Row> out;
  for (const Named& n : sorted(std::move(list), kTopIterators)) {
    out.push_back({"profile_iterator",
                   {{"name", n.name},
                    {"count", int_value(n.totals.count)},
                    {"total_us", micros(n.totals.total)},
                    {"self_us", micros(n.totals.self)},
                    {"max_us", micros(n.totals.longest)}}});
  }
  return out;
}

std::vector<Row> producer_rows(const Plane& plane, const std::vector<EventClass>& classes) {
  const std::optional<Span> extent = plane.extent();
  if (!extent || extent->length() <= 0) return {};
  std::map<std::uint32_t, std::vector<Span>> busy;
  std::map<std::uint32_t, bool> consumes;
  for (const PlaneSpan& s : plane.spans()) {
    if (classes[s.slot] == EventClass::kInputWait) consumes[s.line] = true;
    if (classes[s.slot] == EventClass::kProducer) busy[s.line].push_back({s.begin, s.end});
  }
  std::vector<std::pair<std::int64_t, std::string>> threads;
  for (auto& [line, spans] : busy) {
    // Inside a consumer's own call the stages are what it waits for.
    if (consumes.count(line) != 0) continue;
    threads.emplace_back(-covered(join_spans(std::move(spans))), plane.lines[line - 1]);
  }
  std::sort(threads.begin(), threads.end());
  if (threads.size() > kTopProducers) threads.resize(kTopProducers);
  std::vector<Row> out;
  out.reserve(threads.size());
  for (const auto& [negative, thread] : threads) {
    out.push_back(
        {"profile_producer",
         {{"thread", thread},
          {"busy_us", micros(-negative)},
          {"busy", static_cast<double>(-negative) / static_cast<double>(extent->length())}}});
  }
  return out;
}

}  // namespace tfpm
