#include "align/logical_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "align/attempts.h"
#include "align/order_edges.h"
#include "align/soft_edges.h"

namespace tfpm {
namespace {

// Phases of section 1.1 as far as records show them; markers, which close their step, stand at 3.
constexpr std::int64_t kInit = 0, kRestore = 1, kStep = 2, kCallback = 4, kUnknown = 5,
                       kShutdown = 6, kExitRecord = 7;

std::int64_t phase_rank(std::string_view phase) {
  if (phase == "init") return kInit;
  if (phase == "restore") return kRestore;
  if (phase == "step") return kStep;
  if (phase == "callback") return kCallback;
  return phase == "shutdown" ? kShutdown : kUnknown;
}

std::int64_t behind_frontier(const Model& m, std::int64_t generation) {
  if (generation < 0 || static_cast<std::size_t>(generation) >= m.generations.size()) return -1;
  const OptInt& frontier = m.generations[static_cast<std::size_t>(generation)].frontier;
  return frontier ? *frontier + 1 : -1;
}

OrderNode record_node(const Model& m, const CollectiveOrder& collectives, std::size_t index) {
  const EventInfo& e = m.events[index];
  OrderNode node;
  node.index = index;
  node.worker = e.worker;
  if (e.worker < 0) return node;
  node.generation = e.generation.value_or(0);
  node.phase = phase_rank(e.phase);
  const std::int64_t unplaced = node.phase <= kRestore ? -1 : behind_frontier(m, node.generation);
  node.step = e.step_lo.value_or(unplaced);
  node.place = collectives.place(e.stream, e.seq, e.attempt, e.generation);
  return node;
}

OrderNode exit_node(const Model& m, const ExitOwners& owners, std::size_t index) {
  const ExitInfo& x = m.exits[index];
  OrderNode node;
  node.kind = OrderNode::Kind::kExit;
  node.index = index;
  node.worker = owners.worker_of(x);
  node.generation = m.last_generation();
  node.phase = kExitRecord;
  if (node.worker >= 0) {
    for (const AttemptInfo& a : m.workers[static_cast<std::size_t>(node.worker)].attempts) {
      if (x.attempt && a.n == *x.attempt) node.generation = a.generation;
    }
  }
  node.step = behind_frontier(m, node.generation);
  if (x.what == "started") {
    node.step = -1;
    node.phase = kInit;
  }
  return node;
}

// One node for all events of a record: nothing can come between them.
void add_records(const Model& m, LogicalOrder& order) {
  const CollectiveOrder collectives(m);
  std::map<std::tuple<std::int64_t, int, std::int64_t>, std::size_t> known;  // source, stream, seq
  order.node_of_event.assign(m.events.size(), kNoNode);
  for (std::size_t i = 0; i < m.events.size(); ++i) {
    const EventInfo& e = m.events[i];
    if (e.kind == "tail") continue;
    const auto [it, fresh] =
        known.emplace(std::tuple(e.source_id, e.stream, e.seq), order.nodes.size());
    if (fresh) order.nodes.push_back(record_node(m, collectives, i));
    order.node_of_event[i] = it->second;
  }
}

void add_nodes(const Model& m, LogicalOrder& order) {
  add_records(m, order);
  std::vector<OrderNode>& nodes = order.nodes;
  std::set<std::pair<std::int64_t, std::int64_t>> steps;  // generation, step with a barrier
  for (const OrderNode& node : nodes) {
    for (const OptInt& step : {node.place.enter_next, node.place.exits}) {
      if (step) steps.insert({node.generation, *step});
    }
  }
  const ExitOwners owners(m);
  for (std::size_t i = 0; i < m.exits.size(); ++i) nodes.push_back(exit_node(m, owners, i));
  for (const auto& [generation, step] : steps) {
    OrderNode node;
    node.kind = OrderNode::Kind::kBarrier;
    node.index = static_cast<std::size_t>(std::max<std::int64_t>(step, 0));
    node.generation = generation;
    node.step = step;
    node.phase = kStep;
    nodes.push_back(node);
  }
}

OrderKey key_of(const Model& m, const OrderNode& node) {
  std::int64_t source = 0;
  std::int64_t seq = 0;
  if (node.kind == OrderNode::Kind::kRecord) {
    source = m.events[node.index].source_id;
    seq = m.events[node.index].seq;
  } else if (node.kind == OrderNode::Kind::kExit) {
    source = m.exits[node.index].source_id;
    seq = m.exits[node.index].line;
  }
  return {node.generation, node.step, node.phase, node.worker, source, seq};
}

// Cells: a row leaves the cell of the rows before it when it is sorted under something else, or
// when something of another task in that cell comes before it.
void number_cells(LogicalOrder& order, const std::vector<std::size_t>& line) {
  std::vector<std::vector<std::size_t>> causes(order.nodes.size());  // nodes just before
  for (const OrderEdge& e : order.graph.edges()) {
    if (!e.removed) causes[e.to].push_back(e.from);
  }
  std::vector<std::int64_t> cell(order.nodes.size(), -1);
  OrderPlace place;
  place.cell = -1;
  for (const std::size_t n : line) {
    const OrderNode& node = order.nodes[n];
    const auto at = std::max(std::tuple(place.generation, place.step, place.phase),
                             std::tuple(node.generation, node.step, node.phase));
    const bool moved = at != std::tuple(place.generation, place.step, place.phase);
    std::tie(place.generation, place.step, place.phase) = at;
    bool caused = false;
    for (const std::size_t before : causes[n]) {
      const OrderNode& b = order.nodes[before];
      const bool foreign = b.worker != node.worker || b.kind == OrderNode::Kind::kBarrier;
      caused = caused || (foreign && cell[before] == place.cell);
    }
    if (place.cell < 0 || moved || caused) ++place.cell;
    cell[n] = place.cell;
    if (node.kind == OrderNode::Kind::kBarrier) continue;
    place.node = n;
    order.places.push_back(place);
  }
}

}  // namespace

LogicalOrder order_records(const Model& model) {
  LogicalOrder order;
  add_nodes(model, order);
  order.graph = OrderGraph(order.nodes.size());
  add_order_edges(model, order);
  order.conflicts = order.graph.break_circles();
  std::vector<OrderKey> keys;
  for (const OrderNode& node : order.nodes) keys.push_back(key_of(model, node));
  number_cells(order, order.graph.linearise(keys));
  order.hints = find_soft_edges(model, order);
  return order;
}

}  // namespace tfpm
