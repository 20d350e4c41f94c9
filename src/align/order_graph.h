// What is known to have happened before what, and one order that keeps to it (algorithms.md
// sections 3.1, 3.3, 3.4). Knows nothing of logs: nodes are numbers from 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tfpm {

enum class EdgeClass { kHard = 1, kFirm = 2, kSoft = 3 };  // E1, E2, E3 of section 3.1

struct OrderEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  EdgeClass strength = EdgeClass::kHard;
  std::string_view how;  // a literal: 'program-order', 'collective', ...
  bool removed = false;
};

// An edge that was taken out of a circle.
struct BrokenEdge {
  std::size_t edge = 0;    // index into edges()
  std::size_t circle = 0;  // nodes that were entangled
};

// Sort key of a node among those that nothing orders; smaller first.
using OrderKey = std::array<std::int64_t, 6>;

class OrderGraph {
 public:
  explicit OrderGraph(std::size_t nodes) : nodes_(nodes) {}

  std::size_t nodes() const { return nodes_; }
  const std::vector<OrderEdge>& edges() const { return edges_; }

  // An edge from a node to itself is ignored.
  void add(std::size_t from, std::size_t to, EdgeClass strength, std::string_view how);

  // Takes edges out until no node happens before itself: of every circle the soft ones first, then
  // the firm ones, then hard ones other than program order, which alone can never make a circle.
  // Returns them in the order of edges().
  std::vector<BrokenEdge> break_circles();

  // Nodes in an order in which every edge that is left points forward; among nodes that are free to
  // come next the smallest key does. Call break_circles() before. O(E + V log V).
  std::vector<std::size_t> linearise(const std::vector<OrderKey>& keys) const;

 private:
  struct Successors;  // edges that are left, by their first node
  std::vector<std::size_t> components() const;

  std::size_t nodes_;
  std::vector<OrderEdge> edges_;
};

}  // namespace tfpm
