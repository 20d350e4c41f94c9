#include "marker_bench.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "align/markers.h"
#include "ingest/learner.h"
#include "store/database.h"

namespace tfpm::test {
namespace {

constexpr std::int64_t kStart = 1'772'719'542'000'000;

// Pieces of a line as the reader cuts it: at \r.
void feed(SeriesLearner& learner, const Lines& lines, bool stamped, int task) {
  std::uint64_t offset = 0, number = 0;
  std::int64_t time = kStart + task * 977;
  for (const std::string& line : lines) {
    ++number;
    time += 137'000;
    std::size_t begin = 0;
    while (begin <= line.size()) {
      const std::size_t end = std::min(line.find('\r', begin), line.size());
      LearnerRecord record;
      record.seq = offset + begin;
      record.line = number;
      if (stamped) record.time_us = time;
      const std::string piece = line.substr(begin, end - begin);
      record.text = piece;
      learner.add(record);
      begin = end + 1;
    }
    offset += line.size() + 1;
  }
}

void read_template(Database& db, Chosen& out) {
  Result<Statement> row =
      db.prepare("SELECT unit,edge,loss_mode,loss_sure FROM marker_template WHERE chosen=1");
  if (!row.ok() || !row->step().value()) return;
  out.unit = row->text(0);
  out.edge = row->text(1);
  out.loss_mode = row->text(2);
  out.sure = row->as_int(3) != 0;
}

}  // namespace

double true_loss(const Run& run, int task, int step) {
  if (run.nan_from != 0 && step >= run.nan_from) return std::nan("");
  const double own = run.local ? 0.37 * task : 0;
  const double raw = 7.5 / (1 + 0.11 * step) + 0.4 * std::sin(step * 1.7) + own;
  return std::round(raw * 1e4) / 1e4;
}

std::string text_of(double loss) {
  return std::isnan(loss) ? "nan" : fmt::format("{:.4f}", loss);
}

Chosen choose(const std::vector<Lines>& logs, bool stamped,
              const std::vector<DeclaredMarker>& declared) {
  std::vector<StreamSeries> series;
  std::vector<MarkerStream> streams;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    SeriesLearner learner;
    feed(learner, logs[i], stamped, static_cast<int>(i));
    series.push_back(learner.take());
    series.back().stream = static_cast<std::int64_t>(i) + 1;
    streams.push_back({static_cast<std::int64_t>(i) + 1, static_cast<std::int64_t>(i) + 1, true});
  }
  Chosen out;
  out.tasks.resize(logs.size());
  Result<Database> db = Database::create_in_memory();
  if (!db.ok()) return out;
  const auto keep = [&out](std::int64_t stream, const std::vector<MarkerRow>& rows) {
    for (const MarkerRow& row : rows) {
      const auto step = static_cast<std::int64_t>(std::llround(row.step));
      out.tasks[static_cast<std::size_t>(stream) - 1].push_back(
          {step, row.loss, row.step_time_us, row.epoch, row.batch_loss});
    }
  };
  constexpr unsigned kThreads = 2;
  const Status done = choose_markers(*db, std::move(series), streams, declared, kThreads, keep);
  if (done.ok()) read_template(*db, out);
  return out;
}

Chosen print_and_choose(const Run& run, const Lines& preamble, const Printer& printer) {
  std::vector<Lines> logs;
  for (int task = 0; task < run.tasks; ++task) {
    Lines lines = preamble;
    const int last = task == 1 && run.last_of_task1 != 0 ? run.last_of_task1 : run.steps;
    for (int step = run.first_step; step <= last; ++step) {
      StepFacts facts;
      facts.task = task;
      facts.step = step;
      facts.epoch = (step - 1) / run.per_epoch + 1;
      facts.batch = (step - 1) % run.per_epoch + 1;
      facts.loss = true_loss(run, task, step);
      facts.loss0 = true_loss(run, task, step - 1);
      facts.per_epoch = run.per_epoch;
      facts.steps = run.steps;
      printer(facts, lines);
    }
    logs.push_back(std::move(lines));
  }
  return choose(logs, run.stamped);
}

std::string difference(const Run& run, const Chosen& chosen, bool with_loss, int base) {
  for (int task = 0; task < run.tasks; ++task) {
    const auto& rows = chosen.tasks[static_cast<std::size_t>(task)];
    const int last = task == 1 && run.last_of_task1 != 0 ? run.last_of_task1 : run.steps;
    const int count = last - run.first_step + 1;
    if (static_cast<int>(rows.size()) != count)
      return fmt::format("task {}: {} markers instead of {}", task, rows.size(), count);
    for (int i = 0; i < count; ++i) {
      const Marker& m = rows[static_cast<std::size_t>(i)];
      const int step = run.first_step + i;
      if (m.step != step + base)
        return fmt::format("task {}: step {} instead of {}", task, m.step, step + base);
      if (!with_loss) continue;
      const double loss = true_loss(run, task, step);
      const bool same =
          m.loss && (std::isnan(loss) ? std::isnan(*m.loss) : std::abs(*m.loss - loss) < 1e-9);
      if (!same)
        return fmt::format("task {} step {}: loss {} instead of {}", task, step,
                           m.loss ? fmt::to_string(*m.loss) : "none", loss);
    }
  }
  return {};
}

}  // namespace tfpm::test
