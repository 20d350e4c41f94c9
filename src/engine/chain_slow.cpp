// From when on the steps of a job took longer, for a task or a resource that slows it down.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/chain_consequences.h"
#include "store/database.h"

namespace tfpm {
namespace {

constexpr std::size_t kLeastSteps = 8;  // on both sides of the change together
constexpr std::size_t kLeastSide = 3;   // on each side
constexpr double kLeastRatio = 1.1;     // steps that take this much longer are worth a link
constexpr std::size_t kMaxLines = 3;

// One printed step with the time it took.
struct Step {
  std::int64_t step = 0;
  double seconds = 0;
  std::string ref;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Index of the first step behind the change of the mean that leaves the least squares of the
// logarithms.
std::size_t change_of(const std::vector<Step>& steps) {
  std::vector<double> sum{0};
  for (const Step& s : steps) sum.push_back(sum.back() + std::log(s.seconds));
  std::size_t best = kLeastSide;
  double most = -1;
  for (std::size_t i = kLeastSide; i + kLeastSide <= steps.size(); ++i) {
    const auto left = static_cast<double>(i);
    const auto right = static_cast<double>(steps.size() - i);
    const double apart = sum[i] / left - (sum.back() - sum[i]) / right;
    const double gain = apart * apart * left * right;
    if (gain > most) {
      most = gain;
      best = i;
    }
  }
  return best;
}

Result<std::vector<Step>> steps_of(Database& db, std::int64_t worker, std::int64_t generation) {
  std::vector<Step> out;
  Result<Statement> s = db.prepare(
      "SELECT m.step, m.time_raw_us, 'marker:' || m.stream || ':' || m.seq FROM step_marker m JOIN "
      "stream t ON t.id = m.stream WHERE t.worker_id = ?1 AND m.generation = ?2 AND m.superseded = "
      "0 AND m.time_raw_us IS NOT NULL ORDER BY m.step, m.seq");
  if (!s.ok()) return s.status();
  s->bind(1, worker).bind(2, generation);
  std::int64_t last_step = -1;
  std::int64_t last_us = 0;
  for (;;) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return out;
    const std::int64_t step = s->as_int(0);
    const std::int64_t us = s->as_int(1);
    if (last_step >= 0 && step > last_step && us > last_us) {
      const double each = static_cast<double>(us - last_us) / static_cast<double>(step - last_step);
      out.push_back({step, each / 1e6, s->text(2)});
    }
    last_step = step;
    last_us = us;
  }
}

}  // namespace

Result<std::vector<ChainNode>> slow_steps(Database& db, const CaseFile& file,
                                          const Hypothesis& root) {
  std::vector<ChainNode> none;
  const RunInfo* witness = nullptr;
  for (const RunInfo& r : file.facts.runs) {
    if (r.generation != root.generation || !r.trains || !r.last_step) continue;
    const bool named =
        std::find(root.workers.begin(), root.workers.end(), r.worker) != root.workers.end();
    if (witness == nullptr || named) witness = &r;
    if (named) break;
  }
  if (witness == nullptr) return none;
  const Result<std::vector<Step>> steps = steps_of(db, witness->worker, root.generation);
  if (!steps.ok()) return steps.status();
  if (steps->size() < kLeastSteps) return none;
  const std::size_t change = change_of(*steps);
  std::vector<double> before, after;
  for (std::size_t i = 0; i < steps->size(); ++i) {
    (i < change ? before : after).push_back((*steps)[i].seconds);
  }
  const double ratio = median(after) / median(before);
  if (ratio < kLeastRatio) return none;
  ChainNode n;
  n.worker = witness->worker;
  n.step_lo = n.step_hi = (*steps)[change].step;
  n.edge = "collective";
  n.what = fmt::format("from about step {} on every step takes {:.1f} times as long",
                       (*steps)[change].step, ratio);
  for (std::size_t i = change; i < steps->size() && n.refs.size() < kMaxLines; ++i) {
    n.refs.push_back((*steps)[i].ref);
  }
  return std::vector<ChainNode>{n};
}

}  // namespace tfpm
