// Soft edges (E3 of algorithms.md sections 2.6 and 3.1): what only the fitted clocks order.
//
// They speak where nothing stronger does, between records of different tasks in one cell of the
// line-up, so they can contradict no cause and move no record: a wrong clock makes a wrong hint,
// never a wrong order.
#pragma once

#include <cstdint>
#include <vector>

#include "align/logical_order.h"
#include "align/model.h"

namespace tfpm {

// Microseconds within which a stamp was certainly rounded, as far as its digits show: 1 s, 1 ms or
// 1 us.
std::int64_t stamp_resolution_us(std::int64_t time_us);

// For each record the last one of another task in its cell whose moment lies before its own by more
// than both clocks' stated errors and the rounding of both stamps. Only tasks whose clock class is
// A or B count, and in a cell only those whose own stamps do not run backwards there. `order` has
// its places. At most one edge a record; O(n log n).
std::vector<OrderEdge> find_soft_edges(const Model& model, const LogicalOrder& order);

}  // namespace tfpm
