// Checkpoints as links between what failed and what else happened: what a run began with, what it
// could not save, what the next start of the job restored.
#include <fmt/format.h>

#include <algorithm>

#include "engine/chain_consequences.h"
#include "store/database.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxSaves = 2;  // lines that say a checkpoint was written, in one node

// The fault came with the checkpoint that the run restored.
bool came_with_checkpoint(const Hypothesis& root) {
  return root.failure_class.rfind("checkpoint-", 0) == 0 || root.cause == "corrupt-restore" ||
         root.cause == "restore";
}

bool fails_to_save(const std::string& failure_class) {
  return failure_class == "checkpoint-write-failed" || failure_class == "disk-full";
}

// A name as a pattern of LIKE ... ESCAPE '\'.
std::string escaped(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c == '%' || c == '_' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

class CheckpointLinks {
 public:
  CheckpointLinks(Database& db, const CaseFile& file, const Hypothesis& root)
      : db_(db), file_(file), root_(root) {}

  Result<std::vector<ChainNode>> run() {
    if (came_with_checkpoint(root_)) TFPM_RETURN_IF_ERROR(add_origin());
    if (!fails_to_save(root_.failure_class)) TFPM_RETURN_IF_ERROR(add_failed_saves());
    if (root_.failure_class == "preempted") TFPM_RETURN_IF_ERROR(add_save_on_notice());
    if (ends_process(file_, root_)) TFPM_RETURN_IF_ERROR(add_interrupted_save());
    if (root_.generation < file_.facts.last_generation) TFPM_RETURN_IF_ERROR(add_restart());
    return nodes_;
  }

 private:
  Status restored_lines(std::int64_t generation, std::vector<std::string>& refs) {
    return append_refs(
        db_,
        fmt::format("SELECT 'event:' || min(id) FROM event WHERE signature_id IN ('ckpt-restored', "
                    "'saver-restore') AND generation = {} GROUP BY worker_id ORDER BY worker_id "
                    "LIMIT 4",
                    generation),
        refs);
  }

  // What the run of `generation` restored, as the log says that it was saved.
  Status saved_lines(std::int64_t generation, std::vector<std::string>& refs) {
    return append_refs(
        db_,
        fmt::format("SELECT DISTINCT 'event:' || o.from_id FROM order_edge o JOIN event t ON t.id "
                    "= o.to_id WHERE o.edge = 'checkpoint' AND o.removed = 0 AND o.from_kind = "
                    "'event' AND o.to_kind = 'event' AND t.generation = {} ORDER BY o.from_id "
                    "LIMIT {}",
                    generation, kMaxSaves),
        refs);
  }

  Result<OptInt> restored_step(std::int64_t generation) {
    return db_.query_int(
        fmt::format("SELECT min(restored_step) FROM attempt WHERE generation = {}", generation));
  }

  // The run began with what an earlier one had saved: the fault was in it.
  Status add_origin() {
    ChainNode n;
    n.edge = "checkpoint";
    n.spare = 1;
    for (const Item& item : root_.items) {
      TFPM_RETURN_IF_ERROR(
          append_saved_lines(db_, file_.claims[item.claim].evidence, kMaxSaves, n.refs));
    }
    if (n.refs.empty()) TFPM_RETURN_IF_ERROR(saved_lines(root_.generation, n.refs));
    const bool saved = !n.refs.empty();
    TFPM_RETURN_IF_ERROR(restored_lines(root_.generation, n.refs));
    if (n.refs.empty()) return ok_status();
    const Result<OptInt> step = restored_step(root_.generation);
    if (!step.ok()) return step.status();
    n.step_lo = n.step_hi = *step;
    n.what = saved ? "the checkpoint had been saved before, and the run began with what was saved"
                   : "the run began with what it restored";
    nodes_.push_back(std::move(n));
    return ok_status();
  }

  // Saves that had failed before: not why the job stopped, but why so much is lost.
  Status add_failed_saves() {
    Result<Statement> s = db_.prepare(
        "SELECT e.id, e.worker_id, e.step_lo FROM event e JOIN signature_rule r ON r.id = "
        "e.signature_id WHERE r.class IN ('checkpoint-write-failed', 'disk-full') AND e.generation "
        "= ?1 AND e.outcome = 'progressed_after' ORDER BY e.id LIMIT 4");
    if (!s.ok()) return s.status();
    s->bind(1, root_.generation);
    ChainNode n;
    for (;;) {
      const Result<bool> row = s->step();
      if (!row.ok()) return row.status();
      if (!*row) break;
      const OptInt step = s->maybe_int(2);
      if (step && root_.step_hi && *step > *root_.step_hi) continue;
      if (n.refs.empty()) {
        n.worker = s->maybe_int(1);
        n.step_lo = step;
      }
      n.step_hi = step;
      n.refs.push_back("event:" + std::to_string(s->as_int(0)));
    }
    if (n.refs.empty()) return ok_status();
    n.edge = "explains";
    n.place = ChainNode::kSave;
    n.what = "saves had failed before: what was trained since the last good one is lost with it";
    nodes_.push_back(std::move(n));
    return ok_status();
  }

  // What tasks saved because one of them was told to go.
  Status add_save_on_notice() {
    ChainNode n;
    n.edge = "coordinator";
    n.place = ChainNode::kSave;
    n.step_lo = root_.step_lo;
    n.step_hi = root_.step_hi;
    TFPM_RETURN_IF_ERROR(append_refs(
        db_,
        fmt::format("SELECT 'event:' || min(id) FROM event WHERE signature_id = 'pch-save' AND "
                    "generation = {} GROUP BY worker_id ORDER BY worker_id LIMIT 4",
                    root_.generation),
        n.refs));
    if (n.refs.empty()) return ok_status();
    n.what = "the tasks agree on a step and save a checkpoint before they go";
    nodes_.push_back(std::move(n));
    return ok_status();
  }

  // A save that began about when the origin died, and of which parts are missing.
  Status add_interrupted_save() {
    const auto steps = file_.facts.steps.find(root_.generation);
    const std::int64_t period = steps == file_.facts.steps.end() ? 1 : steps->second.granularity;
    for (const Hypothesis& h : file_.hypotheses) {
      const bool other = &h != &root_ && h.generation == root_.generation;
      if (!other || h.failure_class != "checkpoint-incomplete" || h.role == "rejected") continue;
      if (!h.step_lo || !root_.step_lo || *h.step_lo < *root_.step_lo - 1 - period) continue;
      ChainNode n;
      n.edge = "explains";
      n.place = ChainNode::kSave;
      n.step_lo = h.step_lo;
      n.step_hi = h.step_hi;
      if (!h.workers.empty()) n.worker = h.workers.front();
      n.what = "the save of that moment was interrupted: " + phrases_for(file_, h).what;
      TFPM_RETURN_IF_ERROR(begun_saves(n.refs));
      for (const Item& item : h.items) {
        const Claim& c = file_.claims[item.claim];
        n.refs.insert(n.refs.end(), c.evidence.begin(), c.evidence.end());
      }
      nodes_.push_back(std::move(n));
    }
    return ok_status();
  }

  // Lines that say a save began and that none follows to say it ended.
  Status begun_saves(std::vector<std::string>& refs) {
    return append_refs(
        db_,
        fmt::format(
            "SELECT 'event:' || b.id FROM (SELECT max(id) AS id, stream FROM event WHERE "
            "signature_id = 'ckpt-save-begin' AND generation = {} GROUP BY stream) b WHERE NOT "
            "EXISTS (SELECT 1 FROM event s WHERE s.signature_id = 'ckpt-saved' AND s.stream = "
            "b.stream AND s.id > b.id) ORDER BY b.id LIMIT {}",
            root_.generation, kMaxSaves),
        refs);
  }

  // The job was started again behind the verdict's generation.
  Status add_restart() {
    const std::int64_t next = root_.generation + 1;
    ChainNode n;
    n.edge = "checkpoint";
    n.place = ChainNode::kRestart;
    TFPM_RETURN_IF_ERROR(restored_lines(next, n.refs));
    if (n.refs.empty()) return ok_status();
    TFPM_RETURN_IF_ERROR(saved_lines(next, n.refs));
    const Result<OptInt> step = restored_step(next);
    if (!step.ok()) return step.status();
    n.step_lo = n.step_hi = *step;
    n.what = "the job is started again and restores a checkpoint";
    nodes_.push_back(std::move(n));
    return root_.failure_class == "nan" ? add_nan_again(next) : ok_status();
  }

  // The restored weights carry the fault into the next run.
  Status add_nan_again(std::int64_t generation) {
    ChainNode n;
    n.edge = "program-order";
    n.place = ChainNode::kRestart;
    TFPM_RETURN_IF_ERROR(
        append_refs(db_,
                    fmt::format("SELECT ref FROM nan_onset WHERE generation = {} AND finite_after "
                                "= 0 ORDER BY step, worker_id LIMIT 4",
                                generation),
                    n.refs));
    if (n.refs.empty()) return ok_status();
    const Result<OptInt> step = db_.query_int(fmt::format(
        "SELECT min(step) FROM nan_onset WHERE generation = {} AND finite_after = 0", generation));
    if (!step.ok()) return step.status();
    n.step_lo = n.step_hi = *step;
    n.what = "the values are not finite again after the restart";
    nodes_.push_back(std::move(n));
    return ok_status();
  }

  Database& db_;
  const CaseFile& file_;
  const Hypothesis& root_;
  std::vector<ChainNode> nodes_;
};

}  // namespace

Status append_saved_lines(Database& db, const std::vector<std::string>& checkpoints,
                          std::size_t most, std::vector<std::string>& refs) {
  for (const std::string& ref : checkpoints) {
    const bool named = ref.rfind("checkpoint:", 0) == 0 || ref.rfind("tensor:", 0) == 0;
    if (!named || refs.size() >= most) continue;
    Result<Statement> prefix =
        db.prepare("SELECT prefix FROM checkpoint WHERE id = CAST(?1 AS INTEGER)");
    if (!prefix.ok()) return prefix.status();
    const std::string id = ref.substr(ref.find(':') + 1);
    prefix->bind(1, std::string_view(id));
    const Result<bool> row = prefix->step();
    if (!row.ok()) return row.status();
    if (!*row) continue;
    const std::string path = prefix->text(0);
    Result<Statement> line = db.prepare(
        "SELECT max(e.id) FROM event e JOIN event_capture c ON c.event_id = e.id AND c.name = "
        "'prefix' WHERE e.signature_id = 'ckpt-saved' AND '/' || c.value LIKE ?1 ESCAPE '\\'");
    if (!line.ok()) return line.status();
    const std::string like = "%/" + escaped(path.substr(path.rfind('/') + 1));
    line->bind(1, std::string_view(like));
    const Result<bool> found = line->step();
    if (!found.ok()) return found.status();
    if (!*found || line->is_null(0)) continue;
    const std::string event = "event:" + std::to_string(line->as_int(0));
    if (std::find(refs.begin(), refs.end(), event) == refs.end()) refs.push_back(event);
  }
  return ok_status();
}

Result<std::vector<ChainNode>> checkpoint_links(Database& db, const CaseFile& file,
                                                const Hypothesis& root) {
  return CheckpointLinks(db, file, root).run();
}

}  // namespace tfpm
