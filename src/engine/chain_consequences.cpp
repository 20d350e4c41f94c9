#include "engine/chain_consequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "store/database.h"

namespace tfpm {
namespace {

bool is_origin(const Hypothesis& root, std::int64_t worker) {
  return std::find(root.workers.begin(), root.workers.end(), worker) != root.workers.end();
}

// What slows a job down shows in how long its steps take.
Result<std::vector<ChainNode>> slow_links(Database& db, const CaseFile& file,
                                          const Hypothesis& root) {
  const auto info = file.classes.find(root.failure_class);
  const bool slows = info != file.classes.end() && info->second.stage == ClassStage::kRemains;
  return slows ? slow_steps(db, file, root) : std::vector<ChainNode>{};
}

class Consequences {
 public:
  Consequences(Database& db, const CaseFile& file, const Hypothesis& root)
      : db_(db), file_(file), root_(root) {}

  Result<std::vector<ChainNode>> run() {
    if (root_.failure_class == "nan") {
      TFPM_RETURN_IF_ERROR(add_nan_peers());
      TFPM_RETURN_IF_ERROR(add_bad_checkpoints());
    }
    TFPM_RETURN_IF_ERROR(add_exit());
    for (const auto more : {checkpoint_links, slow_links}) {
      Result<std::vector<ChainNode>> found = more(db_, file_, root_);
      if (!found.ok()) return found.status();
      std::move(found->begin(), found->end(), std::back_inserter(nodes_));
    }
    return nodes_;
  }

 private:
  // The reduction of the step hands one task's NaN to all others.
  Status add_nan_peers() {
    if (root_.workers.empty() || !root_.step_lo) return ok_status();
    Result<Statement> s = db_.prepare(
        "SELECT worker_id, step, ref FROM nan_onset WHERE generation "
        "= ?1 AND finite_after = 0 AND step >= ?2 ORDER BY worker_id");
    if (!s.ok()) return s.status();
    s->bind(1, root_.generation).bind(2, *root_.step_lo);
    ChainNode n;
    std::vector<std::string> names;
    for (;;) {
      const Result<bool> row = s->step();
      if (!row.ok()) return row.status();
      if (!*row) break;
      const std::int64_t worker = s->as_int(0);
      if (is_origin(root_, worker)) continue;
      const auto name = file_.facts.names.find(worker);
      if (name != file_.facts.names.end()) names.push_back(name->second);
      const std::int64_t step = s->as_int(1);
      if (!n.worker) n.worker = worker;
      n.step_lo = std::min(n.step_lo.value_or(step), step);
      n.step_hi = std::max(n.step_hi.value_or(step), step);
      n.refs.push_back(s->text(2));
    }
    if (names.empty()) return ok_status();
    n.edge = "collective";
    n.what =
        fmt::format("the values of {} are not finite from then on: the reduction carried them over",
                    join_names(names));
    nodes_.push_back(std::move(n));
    return ok_status();
  }

  Status add_bad_checkpoints() {
    const auto sql = [&](const char* what) {
      return fmt::format(
          "SELECT {} FROM checkpoint WHERE health = 'nonfinite' AND (step IS NULL OR step >= {}) "
          "ORDER BY step, prefix LIMIT 4",
          what, root_.step_lo.value_or(0));
    };
    ChainNode n;
    std::vector<std::string> prefixes;
    TFPM_RETURN_IF_ERROR(append_refs(db_, sql("prefix"), prefixes));
    std::vector<std::string> checkpoints;
    TFPM_RETURN_IF_ERROR(append_refs(db_, sql("'checkpoint:' || id"), checkpoints));
    TFPM_RETURN_IF_ERROR(append_saved_lines(db_, checkpoints, checkpoints.size(), n.refs));
    n.refs.insert(n.refs.end(), checkpoints.begin(), checkpoints.end());
    const Result<OptInt> step =
        db_.query_int(fmt::format("SELECT min(step) FROM ({})", sql("step")));
    if (!step.ok()) return step.status();
    if (prefixes.empty()) return ok_status();
    n.step_lo = n.step_hi = *step;
    n.edge = "program-order";
    n.spare = 1;
    n.what = fmt::format("values that are not finite were saved: {}", join_names(prefixes));
    nodes_.push_back(std::move(n));
    return ok_status();
  }

  // The end of the origin's process, where its own failure ended it and somebody recorded that.
  Status add_exit() {
    if (root_.workers.size() != 1 || !ends_process(file_, root_)) return ok_status();
    const RunInfo* run = file_.facts.run(root_.workers.front(), root_.generation);
    const bool own = run != nullptr && (run->ending == "crashed" || run->ending == "left-early" ||
                                        run->ending == "told-to-go");
    if (!own || !run->exit_code) return ok_status();
    ChainNode n;
    n.worker = run->worker;
    n.edge = "process";
    n.place = ChainNode::kExit;
    n.spare = 3;
    n.what = fmt::format("its process ends with exit code {}", *run->exit_code);
    TFPM_RETURN_IF_ERROR(append_refs(
        db_,
        fmt::format(
            "SELECT 'exit:' || min(x.id) FROM exit_record x JOIN logical_order o ON o.kind = "
            "'exit' AND o.id = x.id WHERE x.what = 'exited' AND o.worker_id = {} AND "
            "o.generation = {} AND x.exit_code = {}",
            run->worker, root_.generation, *run->exit_code),
        n.refs));
    if (!n.refs.empty()) nodes_.push_back(std::move(n));
    return ok_status();
  }

  Database& db_;
  const CaseFile& file_;
  const Hypothesis& root_;
  std::vector<ChainNode> nodes_;
};

}  // namespace

bool ends_process(const CaseFile& file, const Hypothesis& h) {
  const auto info = file.classes.find(h.failure_class);
  return info != file.classes.end() && info->second.ends_process;
}

Result<std::vector<ChainNode>> consequences_of(Database& db, const CaseFile& file,
                                               const Hypothesis& root) {
  return Consequences(db, file, root).run();
}

}  // namespace tfpm
