// The way from the root to everybody else's errors: at most six nodes, each with a line
// (algorithms.md section 4.7).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/case_file.h"
#include "engine/chain_consequences.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxNodes = 6;
constexpr std::size_t kMaxRefs = 6;
// More victims than these share a node with those that were reached the same way.
constexpr std::size_t kMaxVictimNodes = 3;
// Each of the root's tasks has a node while they are at most so many.
constexpr std::size_t kMaxOrigins = 3;

Value opt(const OptInt& v) {
  return v ? Value(*v) : null_value();
}

class ChainBuilder {
 public:
  ChainBuilder(Database& db, const CaseFile& file) : db_(db), file_(file) {}

  Result<std::vector<ChainNode>> build() {
    const Hypothesis* root = file_.root();
    if (root == nullptr || file_.choice.status == VerdictStatus::kHealthy) return nodes_;
    add_root(*root);
    Result<std::vector<ChainNode>> more = consequences_of(db_, file_, *root);
    if (!more.ok()) return more.status();
    for (ChainNode& node : *more) {
      if (!is_told(node)) nodes_.push_back(std::move(node));
    }
    for (ChainNode& node : victim_nodes(file_, *root, kMaxVictimNodes)) {
      nodes_.push_back(std::move(node));
    }
    Result<std::vector<ChainNode>> endings = ending_nodes(db_, file_, *root);
    if (!endings.ok()) return endings.status();
    for (ChainNode& node : *endings) nodes_.push_back(std::move(node));
    while (nodes_.size() > kMaxNodes) drop_one();
    std::stable_sort(nodes_.begin() + 1, nodes_.end(),
                     [](const ChainNode& a, const ChainNode& b) { return a.place < b.place; });
    return nodes_;
  }

 private:
  void add_root(const Hypothesis& root) {
    ChainNode n;
    if (!root.workers.empty()) n.worker = root.workers.front();
    n.step_lo = root.step_lo;
    n.step_hi = root.step_hi;
    n.edge = "program-order";
    n.what = phrases_for(file_, root).what;
    n.refs = own_refs(file_, root);
    nodes_.push_back(std::move(n));
    if (root.workers.size() > kMaxOrigins) return;
    for (std::size_t i = 1; i < root.workers.size(); ++i) add_origin(root, root.workers[i]);
  }

  // What another of the root's tasks did itself.
  void add_origin(const Hypothesis& root, std::int64_t worker) {
    ChainNode n;
    n.worker = worker;
    n.step_lo = root.step_lo;
    n.step_hi = root.step_hi;
    n.edge = "program-order";
    n.spare = 1;
    double most = -1;
    for (const Item& item : root.items) {
      const Claim& c = file_.claims[item.claim];
      if (c.worker != worker || c.failure_class.empty() || c.weight_db <= 0) continue;
      n.refs.insert(n.refs.end(), c.evidence.begin(), c.evidence.end());
      if (c.weight_db > most) n.what = c.summary;
      most = std::max(most, c.weight_db);
    }
    if (!n.refs.empty()) nodes_.push_back(std::move(n));
  }

  // The root cites the end of its process already.
  bool is_told(const ChainNode& node) const {
    const std::vector<std::string>& root = nodes_.front().refs;
    return node.place == ChainNode::kExit &&
           std::find(root.begin(), root.end(), node.refs.front()) != root.end();
  }

  // The most dispensable node, the last of equals; never the root.
  void drop_one() {
    auto least = nodes_.end() - 1;
    for (auto n = nodes_.end() - 1; n != nodes_.begin(); --n) {
      if (n->spare > least->spare) least = n;
    }
    nodes_.erase(least);
  }

  Database& db_;
  const CaseFile& file_;
  std::vector<ChainNode> nodes_;
};

Status write_node(RowWriter& rows, EvidenceBook& book, const ChainNode& node, std::int64_t n) {
  const Row row{"chain",
                {{"n", n},
                 {"worker_id", opt(node.worker)},
                 {"step_lo", opt(node.step_lo)},
                 {"step_hi", opt(node.step_hi)},
                 {"edge", node.edge},
                 {"what", node.what}}};
  TFPM_RETURN_IF_ERROR(rows.write(row).status());
  std::set<std::int64_t> cited;
  for (const std::string& ref : node.refs) {
    if (cited.size() == kMaxRefs) break;
    const Result<std::int64_t> id = book.cite(ref, n == 1 ? "cause" : "symptom", 0);
    if (!id.ok()) return id.status();
    const bool again = *id != 0 && std::any_of(cited.begin(), cited.end(), [&](std::int64_t other) {
      return *id == other || book.same_line(*id, other);
    });
    if (*id == 0 || again) continue;
    cited.insert(*id);
    const auto k = static_cast<std::int64_t>(cited.size()) - 1;
    TFPM_RETURN_IF_ERROR(
        rows.write({"chain_evidence", {{"chain_n", n}, {"n", k}, {"evidence_id", *id}}}).status());
  }
  return ok_status();
}

// Whether the item is the origin's own evidence: counted, or beside one of its kind that is.
bool tells(const CaseFile& file, const Item& item) {
  const Claim& c = file.claims[item.claim];
  // The line nobody else wrote tells what the origin was about to do.
  const bool about_it = !c.failure_class.empty() || c.kind == "odd-line";
  const bool beside = item.gate == kTwinGate || item.gate == kOneVoteGate;
  return about_it && (item.counted_db > 0 || (beside && c.weight_db > 0));
}

}  // namespace

std::vector<std::string> own_refs(const CaseFile& file, const Hypothesis& h) {
  std::vector<const Item*> items;
  for (const Item& item : h.items) {
    if (tells(file, item)) items.push_back(&item);
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const Item* a, const Item* b) { return a->counted_db > b->counted_db; });
  std::vector<std::string> out;
  bool more = true;
  for (std::size_t i = 0; more; ++i) {
    more = false;
    for (const Item* item : items) {
      const std::vector<std::string>& refs = file.claims[item->claim].evidence;
      if (i >= refs.size()) continue;
      more = true;
      if (std::find(out.begin(), out.end(), refs[i]) == out.end()) out.push_back(refs[i]);
    }
  }
  return out;
}

Status append_refs(Database& db, const std::string& sql, std::vector<std::string>& refs) {
  Result<Statement> s = db.prepare(sql);
  if (!s.ok()) return s.status();
  for (;;) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return ok_status();
    if (!s->is_null(0)) refs.push_back(s->text(0));
  }
}

Status write_chain(Database& db, const CaseFile& file, EvidenceBook& book) {
  const Result<std::vector<ChainNode>> nodes = ChainBuilder(db, file).build();
  if (!nodes.ok()) return nodes.status();
  RowWriter rows(db);
  std::int64_t n = 0;
  for (const ChainNode& node : *nodes) TFPM_RETURN_IF_ERROR(write_node(rows, book, node, ++n));
  return ok_status();
}

}  // namespace tfpm
