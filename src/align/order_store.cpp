// Writes the logical order into its tables.
#include <set>
#include <string>
#include <tuple>

#include "align/logical_order.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

Value opt(const OptInt& v) {
  return v ? Value(*v) : null_value();
}
Value worker_id(int index) {
  return index < 0 ? null_value() : Value(std::int64_t{index} + 1);
}

struct Ref {
  std::string_view kind;
  std::int64_t id = 0;
};

Ref ref_of(const Model& m, const OrderNode& node) {
  if (node.kind == OrderNode::Kind::kExit) return {"exit", m.exits[node.index].id};
  return {"event", m.events[node.index].id};
}

Status store_place(RowWriter& rows, const LogicalOrder& order, const Ref& ref,
                   const OrderPlace& place, std::int64_t rank) {
  const OrderNode& node = order.nodes[place.node];
  const Row row{"logical_order",
                {{"kind", text_value(ref.kind)},
                 {"id", ref.id},
                 {"worker_id", worker_id(node.worker)},
                 {"rank", rank},
                 {"generation", place.generation},
                 {"step", place.step},
                 {"phase", place.phase},
                 {"cell", place.cell},
                 {"enter_next", opt(node.place.enter_next)},
                 {"exits", opt(node.place.exits)}}};
  return rows.write(row).status();
}

Status store_places(RowWriter& rows, const Model& m, const LogicalOrder& order) {
  std::vector<std::vector<std::int64_t>> events(order.nodes.size());  // event.id of each record
  for (std::size_t i = 0; i < m.events.size(); ++i) {
    const std::size_t node = order.node_of_event[i];
    if (node != kNoNode) events[node].push_back(m.events[i].id);
  }
  std::int64_t rank = 0;
  for (const OrderPlace& place : order.places) {
    const OrderNode& node = order.nodes[place.node];
    if (node.kind == OrderNode::Kind::kExit) {
      const std::int64_t id = m.exits[node.index].id;
      TFPM_RETURN_IF_ERROR(store_place(rows, order, {"exit", id}, place, rank));
    }
    for (const std::int64_t id : events[place.node]) {
      TFPM_RETURN_IF_ERROR(store_place(rows, order, {"event", id}, place, rank));
    }
    ++rank;
  }
  return ok_status();
}

// The order inside a stream and the barriers can be had from logical_order.
bool is_told(const LogicalOrder& order, const OrderEdge& e) {
  const auto barrier = [&](std::size_t n) {
    return order.nodes[n].kind == OrderNode::Kind::kBarrier;
  };
  return e.how != "program-order" && !barrier(e.from) && !barrier(e.to);
}

std::string_view class_name(EdgeClass strength) {
  switch (strength) {
    case EdgeClass::kHard:
      return "E1";
    case EdgeClass::kFirm:
      return "E2";
    case EdgeClass::kSoft:
      return "E3";
  }
  return "E3";
}

Status store_edge(RowWriter& rows, const Model& m, const LogicalOrder& order, const OrderEdge& e) {
  const Ref from = ref_of(m, order.nodes[e.from]);
  const Ref to = ref_of(m, order.nodes[e.to]);
  const Row row{"order_edge",
                {{"from_kind", text_value(from.kind)},
                 {"from_id", from.id},
                 {"to_kind", text_value(to.kind)},
                 {"to_id", to.id},
                 {"edge", text_value(e.how)},
                 {"class", text_value(class_name(e.strength))},
                 {"removed", std::int64_t{e.removed ? 1 : 0}}}};
  return rows.write(row).status();
}

Status store_edges(RowWriter& rows, const Model& m, const LogicalOrder& order) {
  std::set<std::tuple<std::size_t, std::size_t, std::string_view>> seen;
  for (const OrderEdge& e : order.graph.edges()) {
    if (!is_told(order, e) || !seen.insert({e.from, e.to, e.how}).second) continue;
    TFPM_RETURN_IF_ERROR(store_edge(rows, m, order, e));
  }
  for (const OrderEdge& e : order.hints) TFPM_RETURN_IF_ERROR(store_edge(rows, m, order, e));
  return ok_status();
}

Status store_conflicts(RowWriter& rows, const Model& m, const LogicalOrder& order) {
  std::int64_t id = 0;
  for (const BrokenEdge& b : order.conflicts) {
    const OrderEdge& e = order.graph.edges()[b.edge];
    const OrderNode& to = order.nodes[e.to];
    const bool event = to.kind == OrderNode::Kind::kRecord;
    const Row row{"order_conflict",
                  {{"id", ++id},
                   {"event_id", event ? Value(m.events[to.index].id) : null_value()},
                   {"worker_id", worker_id(to.worker)},
                   {"peer_worker_id", worker_id(order.nodes[e.from].worker)},
                   {"generation", to.generation},
                   {"edge", text_value(e.how)},
                   {"records", static_cast<std::int64_t>(b.circle)}}};
    TFPM_RETURN_IF_ERROR(rows.write(row).status());
  }
  return ok_status();
}

}  // namespace

Status store_order(Database& db, const Model& model, const LogicalOrder& order) {
  RowWriter rows(db);
  TFPM_RETURN_IF_ERROR(store_places(rows, model, order));
  TFPM_RETURN_IF_ERROR(store_edges(rows, model, order));
  return store_conflicts(rows, model, order);
}

}  // namespace tfpm
