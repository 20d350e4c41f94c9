// The edges of the graph of causes between records (algorithms.md section 3.1).
#pragma once

#include <map>
#include <vector>

#include "align/logical_order.h"

namespace tfpm {

// Adds all edges of classes E1 and E2 to `order.graph`; `order.nodes` is complete.
void add_order_edges(const Model& model, LogicalOrder& order);

}  // namespace tfpm
