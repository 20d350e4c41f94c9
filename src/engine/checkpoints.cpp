#include "engine/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "store/database.h"

namespace tfpm {
namespace {

struct Item {
  std::string prefix, directory, name;
  OptInt step;
  bool usable = false;
  bool copy = false;  // a per-worker copy, not the leader's
};

// "workertemp_2/ckpt-10" is worker 2's own copy (algorithms.md section 8.3).
bool is_worker_copy(const std::string& directory) {
  return directory.find("workertemp_") != std::string::npos;
}

Result<std::vector<Item>> load(Database& db) {
  Result<Statement> s = db.prepare(
      "SELECT prefix, directory, step, completeness, integrity, health FROM checkpoint ORDER BY "
      "prefix");
  if (!s.ok()) return s.status();
  std::vector<Item> out;
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return out;
    Item i;
    i.prefix = s->text(0);
    i.directory = s->text(1);
    i.name = i.prefix.substr(i.prefix.rfind('/') + 1);
    i.step = s->maybe_int(2);
    i.usable =
        s->as_text(3) == "complete" && s->as_text(4) != "crc-bad" && s->as_text(5) != "nonfinite";
    i.copy = is_worker_copy(i.directory);
    out.push_back(std::move(i));
  }
}

// The leader's prefix of the greatest step that is usable in every directory holding that step: one
// bad copy spoils it.
const Item* best(const std::vector<Item>& items, OptInt before) {
  std::map<std::int64_t, bool> usable;
  for (const Item& i : items) {
    if (!i.step) continue;
    const auto [it, fresh] = usable.emplace(*i.step, i.usable);
    if (!fresh) it->second = it->second && i.usable;
  }
  const Item* found = nullptr;
  for (const Item& i : items) {
    if (!i.step || !usable[*i.step] || (before && *i.step >= *before)) continue;
    const bool better = found == nullptr || *i.step > *found->step ||
                        (*i.step == *found->step && found->copy && !i.copy);
    if (better) found = &i;
  }
  return found;
}

OptInt frontier_of(const JobFacts& facts, std::int64_t generation) {
  const auto steps = facts.steps.find(generation);
  return steps == facts.steps.end() ? OptInt() : steps->second.frontier;
}

// How many steps were trained again although a newer checkpoint than the restored one was good: one
// that the incarnation before had saved. Those it may have saved itself again prove nothing.
Result<OptInt> avoidable_loss(Database& db, const JobFacts& facts, const std::vector<Item>& items,
                              std::int64_t generation) {
  const auto restored = db.query_int(
      fmt::format("SELECT max(restored_step) FROM attempt WHERE generation = {}", generation));
  if (!restored.ok()) return restored.status();
  const OptInt before = generation > 0 ? frontier_of(facts, generation - 1) : OptInt();
  if (!restored->has_value() || !before || !facts.steps_numbered) return OptInt();
  const std::int64_t again = frontier_of(facts, generation).value_or(**restored);
  std::int64_t lost = 0;
  for (const Item& i : items) {
    const bool saved_before = i.usable && i.step && *i.step <= *before && *i.step > again;
    if (saved_before) lost = std::max(lost, *i.step - **restored);
  }
  return OptInt(lost);
}

Status put(Database& db, std::string_view key, const std::string& value) {
  Result<Statement> s = db.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?1, ?2)");
  if (!s.ok()) return s.status();
  return s->bind(1, key).bind(2, std::string_view(value)).run();
}

}  // namespace

Result<CheckpointAdvice> advise_checkpoint(Database& db, const JobFacts& facts,
                                           std::int64_t generation, const BadFrom& bad) {
  TFPM_RETURN_IF_ERROR(db.execute("DELETE FROM meta WHERE key LIKE 'checkpoint\\_%' ESCAPE '\\'"));
  const Result<std::vector<Item>> items = load(db);
  if (!items.ok()) return items.status();
  CheckpointAdvice advice;
  const Item* good = best(*items, bad.diverged);
  if (good != nullptr) {
    advice.last_good = good->prefix;
    TFPM_RETURN_IF_ERROR(put(db, "checkpoint_last_good", good->prefix));
    const auto steps = facts.steps.find(generation);
    if (facts.steps_numbered && steps != facts.steps.end() && steps->second.frontier) {
      advice.lost_steps = std::max<std::int64_t>(0, *steps->second.frontier - *good->step);
      TFPM_RETURN_IF_ERROR(put(db, "checkpoint_lost_steps", std::to_string(*advice.lost_steps)));
    }
  }
  if (bad.nan) {
    const Item* before = best(*items, bad.nan);
    if (before != nullptr) {
      advice.last_good_before_nan = before->prefix;
      TFPM_RETURN_IF_ERROR(put(db, "checkpoint_last_good_before_nan", before->prefix));
    }
  }
  const Result<OptInt> avoidable = avoidable_loss(db, facts, *items, generation);
  if (!avoidable.ok()) return avoidable.status();
  advice.avoidable_lost_steps = *avoidable;
  if (*avoidable) {
    TFPM_RETURN_IF_ERROR(put(db, "checkpoint_avoidable_lost_steps", std::to_string(**avoidable)));
  }
  return advice;
}

}  // namespace tfpm
