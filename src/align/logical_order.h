// Records (log records with events, exit records) of a job in one logical order (algorithms.md
// section 3): what is known to cause what, the contradictions in it, and a line-up that keeps to
// the rest.
//
// Clocks play no part in the line-up. Which records are cause and effect follows from streams,
// processes, collectives, checkpoints and what errors name; so shifted, drifting or missing stamps
// change no place.
#pragma once

#include <string_view>
#include <vector>

#include "align/collective_order.h"
#include "align/model.h"
#include "align/order_graph.h"
#include "base/status.h"

namespace tfpm {

struct OrderNode {
  enum class Kind { kRecord, kExit, kBarrier };
  Kind kind = Kind::kRecord;
  std::size_t index = 0;  // into Model::events (the record's first) or Model::exits; of a barrier
                          // the step
  int worker = -1;        // index into Model::workers; -1 = nobody's
  std::int64_t generation = -1;
  std::int64_t step = -1;  // sorted under; -1 = before the first
  std::int64_t phase = 5;  // logical_order.phase
  CollectivePlace place;
};

// Place of one node in the line-up.
struct OrderPlace {
  std::size_t node = 0;
  std::int64_t generation = -1, step = -1, phase = 0;  // never less than those of places before
  std::int64_t cell = 0;
};

inline constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

struct LogicalOrder {
  std::vector<OrderNode> nodes;
  std::vector<std::size_t> node_of_event;  // by index into Model::events; kNoNode = left out
  OrderGraph graph{0};
  std::vector<BrokenEdge> conflicts;
  std::vector<OrderPlace> places;  // records and exits, in order
  std::vector<OrderEdge> hints;    // what only clocks say (soft_edges.h); no place depends on it
};

// `model` has passed all earlier passes. Tail lines without a finding are left out.
LogicalOrder order_records(const Model& model);

// Writes logical_order, order_edge and order_conflict.
Status store_order(Database& db, const Model& model, const LogicalOrder& order);

}  // namespace tfpm
