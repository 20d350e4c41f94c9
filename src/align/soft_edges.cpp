#include "align/soft_edges.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace tfpm {
namespace {

// When something was written at the earliest and at the latest, on the common clock.
struct Moment {
  std::size_t node = 0;
  int worker = -1;
  int stream = -1;
  std::int64_t own_us = 0;  // as written
  std::int64_t from_us = 0;
  std::int64_t to_us = 0;
};

std::optional<Moment> moment_of(const Model& m, const LogicalOrder& order, std::size_t n) {
  const OrderNode& node = order.nodes[n];
  if (node.kind != OrderNode::Kind::kRecord || node.worker < 0) return std::nullopt;
  const EventInfo& e = m.events[node.index];
  const WorkerClock& clock = m.workers[static_cast<std::size_t>(node.worker)].clock;
  if (!e.time_us || !clock.error_us || (clock.quality != "A" && clock.quality != "B")) {
    return std::nullopt;
  }
  const std::optional<std::int64_t> at = clock.reference(*e.time_us, e.stream, e.seq);
  if (!at) return std::nullopt;
  const std::int64_t error = std::llround(*clock.error_us);
  // Rounded down when it was written: the moment itself may be later.
  return Moment{n,          node.worker, e.stream,
                *e.time_us, *at - error, *at + error + stamp_resolution_us(*e.time_us)};
}

// Without the tasks whose stamps run backwards in this cell: their file says something else.
void drop_unsteady(std::vector<Moment>& cell) {
  std::map<int, std::int64_t> latest;  // by stream
  std::set<int> unsteady;
  for (const Moment& m : cell) {
    const auto [it, first] = latest.emplace(m.stream, m.own_us);
    if (!first && m.own_us < it->second) unsteady.insert(m.worker);
    it->second = std::max(it->second, m.own_us);
  }
  if (unsteady.empty()) return;
  cell.erase(std::remove_if(cell.begin(), cell.end(),
                            [&](const Moment& m) { return unsteady.count(m.worker) != 0; }),
             cell.end());
}

// The last two moments so far that belong to different tasks.
struct Latest {
  const Moment* last = nullptr;
  const Moment* other = nullptr;  // of another task than `last`

  void add(const Moment& m) {
    if (last != nullptr && last->worker != m.worker) other = last;
    last = &m;
  }
  const Moment* before(int worker) const {
    return last != nullptr && last->worker == worker ? other : last;
  }
};

void connect(std::vector<Moment> cell, std::vector<OrderEdge>& edges) {
  drop_unsteady(cell);
  std::vector<Moment> by_end = cell;
  std::stable_sort(by_end.begin(), by_end.end(),
                   [](const Moment& a, const Moment& b) { return a.to_us < b.to_us; });
  std::stable_sort(cell.begin(), cell.end(),
                   [](const Moment& a, const Moment& b) { return a.from_us < b.from_us; });
  Latest ended;
  std::size_t next = 0;
  for (const Moment& m : cell) {
    for (; next < by_end.size() && by_end[next].to_us < m.from_us; ++next) ended.add(by_end[next]);
    if (const Moment* before = ended.before(m.worker)) {
      edges.push_back({before->node, m.node, EdgeClass::kSoft, "aligned-time", false});
    }
  }
}

}  // namespace

std::int64_t stamp_resolution_us(std::int64_t time_us) {
  if (time_us % 1'000'000 == 0) return 1'000'000;
  return time_us % 1'000 == 0 ? 1'000 : 1;
}

std::vector<OrderEdge> find_soft_edges(const Model& model, const LogicalOrder& order) {
  std::vector<OrderEdge> edges;
  std::vector<Moment> cell;
  for (std::size_t i = 0; i < order.places.size(); ++i) {
    const OrderPlace& place = order.places[i];
    if (i > 0 && order.places[i - 1].cell != place.cell) {
      connect(std::move(cell), edges);
      cell.clear();
    }
    if (const std::optional<Moment> m = moment_of(model, order, place.node)) cell.push_back(*m);
  }
  connect(std::move(cell), edges);
  return edges;
}

}  // namespace tfpm
