#include "align/order_graph.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace tfpm {

// The edges that are left in one array, those of node n at [first[n], first[n + 1]).
struct OrderGraph::Successors {
  std::vector<std::size_t> first;
  std::vector<std::size_t> to;

  Successors(std::size_t nodes, const std::vector<OrderEdge>& edges) : first(nodes + 1, 0) {
    for (const OrderEdge& e : edges) {
      if (!e.removed) ++first[e.from + 1];
    }
    for (std::size_t n = 0; n < nodes; ++n) first[n + 1] += first[n];
    to.resize(first[nodes]);
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (const OrderEdge& e : edges) {
      if (!e.removed) to[next[e.from]++] = e.to;
    }
  }
};

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

void OrderGraph::add(std::size_t from, std::size_t to, EdgeClass strength, std::string_view how) {
  if (from == to) return;
  edges_.push_back({from, to, strength, how, false});
}

// Tarjan's algorithm with a stack of its own: a log may make paths longer than the program's stack.
// Gives the number of each node's strongly connected component.
std::vector<std::size_t> OrderGraph::components() const {
  const Successors next(nodes_, edges_);
  std::vector<std::size_t> index(nodes_, kNone), low(nodes_, 0), component(nodes_, kNone);
  std::vector<std::size_t> open;                          // nodes whose component is not known
  std::vector<std::pair<std::size_t, std::size_t>> path;  // node, its next successor
  std::size_t visited = 0;
  std::size_t found = 0;
  for (std::size_t start = 0; start < nodes_; ++start) {
    if (index[start] != kNone) continue;
    path.emplace_back(start, next.first[start]);
    while (!path.empty()) {
      const std::size_t node = path.back().first;
      if (index[node] == kNone) {
        index[node] = low[node] = visited++;
        open.push_back(node);
      }
      if (path.back().second < next.first[node + 1]) {
        const std::size_t to = next.to[path.back().second++];
        if (index[to] == kNone) {
          path.emplace_back(to, next.first[to]);
        } else if (component[to] == kNone) {
          low[node] = std::min(low[node], index[to]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[node]);
      if (low[node] != index[node]) continue;
      std::size_t member = kNone;
      do {
        member = open.back();
        open.pop_back();
        component[member] = found;
      } while (member != node);
      ++found;
    }
  }
  return component;
}

std::vector<BrokenEdge> OrderGraph::break_circles() {
  std::vector<BrokenEdge> broken;
  for (;;) {
    const std::vector<std::size_t> component = components();
    std::vector<std::size_t> size(nodes_, 0);
    for (const std::size_t c : component) ++size[c];
    const auto inside = [&](const OrderEdge& e) {
      return !e.removed && component[e.from] == component[e.to];
    };
    // The weakest kind of edge in each circle that may go.
    std::vector<int> weakest(nodes_, -1);
    for (const OrderEdge& e : edges_) {
      if (!inside(e) || e.how == "program-order") continue;
      int& w = weakest[component[e.from]];
      w = std::max(w, static_cast<int>(e.strength));
    }
    const std::size_t before = broken.size();
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      OrderEdge& e = edges_[i];
      if (!inside(e) || e.how == "program-order") continue;
      if (static_cast<int>(e.strength) != weakest[component[e.from]]) continue;
      e.removed = true;
      broken.push_back({i, size[component[e.from]]});
    }
    if (broken.size() == before) break;
  }
  std::sort(broken.begin(), broken.end(),
            [](const BrokenEdge& a, const BrokenEdge& b) { return a.edge < b.edge; });
  return broken;
}

std::vector<std::size_t> OrderGraph::linearise(const std::vector<OrderKey>& keys) const {
  const Successors next(nodes_, edges_);
  std::vector<std::size_t> waits(nodes_, 0);
  for (const std::size_t to : next.to) ++waits[to];
  using Entry = std::pair<OrderKey, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  for (std::size_t n = 0; n < nodes_; ++n) {
    if (waits[n] == 0) ready.emplace(keys[n], n);
  }
  std::vector<std::size_t> out;
  out.reserve(nodes_);
  while (!ready.empty()) {
    const std::size_t node = ready.top().second;
    ready.pop();
    out.push_back(node);
    for (std::size_t i = next.first[node]; i < next.first[node + 1]; ++i) {
      if (--waits[next.to[i]] == 0) ready.emplace(keys[next.to[i]], next.to[i]);
    }
  }
  return out;
}

}  // namespace tfpm
