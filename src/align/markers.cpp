#include "align/markers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "align/epoch_size.h"
#include "align/loss_agreement.h"
#include "align/marker_anchor.h"
#include "align/marker_choice.h"
#include "align/marker_epochs.h"
#include "align/marker_rows.h"
#include "align/marker_steps.h"
#include "align/marker_thinning.h"
#include "align/running_mean.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "store/database.h"

namespace tfpm {
namespace {

std::vector<JudgedStream> judged_streams(const std::vector<StreamSeries>& series,
                                         const std::vector<MarkerStream>& streams) {
  std::map<std::int64_t, const MarkerStream*> by_id;
  for (const MarkerStream& s : streams) by_id[s.stream] = &s;
  std::vector<JudgedStream> out;
  for (const StreamSeries& s : series) {
    JudgedStream judged(s);
    judged.task = -1 - s.stream;
    if (const auto it = by_id.find(s.stream); it != by_id.end()) {
      judged.training = it->second->training;
      if (it->second->worker_id != 0) judged.task = it->second->worker_id;
    }
    out.push_back(std::move(judged));
  }
  return out;
}

// Picks that are worked out at a time: enough for all threads, few enough to be held.
constexpr std::size_t kPicksAtOnce = 32;
// Picks behind which the memory of their series is given back: it is the readers' threads'.
constexpr std::size_t kPicksToGiveBack = 256;

// What a pick comes to.
struct PickResult {
  bool found = false;
  MarkerSeries series;
  TemplateRow row;
  std::vector<MarkerValue> values;
  std::vector<MarkerTime> times;
};

class MarkerPass {
 public:
  MarkerPass(std::vector<StreamSeries>& series, const std::vector<JudgedStream>& streams,
             const DeclaredMarkers& declared, unsigned threads)
      : series_(series),
        streams_(streams),
        declared_(declared),
        threads_(threads),
        choice_(choose_declared(streams, declared)),
        by_user_(!choice_.picks.empty()) {
    if (!by_user_) choice_ = choose_families(streams, threads);
  }

  Status run(Database& db, const MarkerSink& sink) {
    find_numbering();
    TFPM_RETURN_IF_ERROR(find_epoch_size(db));
    Result<MarkerWriter> writer = MarkerWriter::open(db);
    if (!writer) return writer.status();
    for (std::size_t from = 0; from < choice_.picks.size(); from += kPicksAtOnce) {
      std::vector<PickResult> results(std::min(kPicksAtOnce, choice_.picks.size() - from));
      parallel_for(results.size(), threads_,
                   [&](std::size_t i) { results[i] = work_out(choice_.picks[from + i]); });
      for (std::size_t i = 0; i < results.size(); ++i) {
        TFPM_RETURN_IF_ERROR(hand_over(from + i, results[i], *writer, sink));
      }
      if ((from / kPicksAtOnce + 1) % (kPicksToGiveBack / kPicksAtOnce) == 0) {
        give_back_freed_memory();
      }
    }
    return write_templates(*writer);
  }

 private:
  Status write_templates(MarkerWriter& writer) {
    const std::string mode = agreement_.mode();
    for (TemplateRow& row : templates_) {
      if (row.chosen && !row.loss_mode.empty()) row.loss_mode = mode;
      TFPM_RETURN_IF_ERROR(writer.write(row));
    }
    return ok_status();
  }

  std::optional<Family> family_of(const NamedStream& named, const FamilyPick& pick) const {
    if (by_user_) return declared_.find(named);
    return family_of_members(named, pick.key, pick.members);
  }

  // What numbers the steps of all streams alike: the first epoch, and units per step.
  void find_numbering() {
    for (const FamilyPick& pick : choice_.picks) {
      if (!pick.chosen || !pick.wraps) continue;
      const NamedStream& named = streams_[pick.stream].named;
      if (const auto family = family_of(named, pick)) look_for_epoch_zero(named, *family);
    }
    // A counter that says it counts steps needs no anchor.
    StepAnchor anchor;
    for (const FamilyPick& pick : choice_.picks) {
      if (!pick.chosen || pick.named_steps) continue;
      const NamedStream& named = streams_[pick.stream].named;
      if (const auto family = family_of(named, pick))
        anchor.add(named, make_series(named, *family, numbering_).rows);
    }
    numbering_.units_per_step = anchor.units_per_step();
    if (!numbering_.units_per_step && choice_.unit == CountedUnit::kEpoch) look_for_closing_lines();
  }

  // Whole epochs are numbers of steps where the line that closes them says how many there were.
  void look_for_closing_lines() {
    for (const FamilyPick& pick : choice_.picks) {
      if (!pick.chosen) continue;
      const NamedStream& named = streams_[pick.stream].named;
      const auto family = family_of(named, pick);
      const std::optional<double> size = closing_epoch_size(named);
      if (!family || !size || !make_series(named, *family, numbering_).has_loss) continue;
      numbering_.units_per_step = 1 / *size;
      return;
    }
  }

  // Epochs whose length no line tells: by the steps that checkpoints and event files name.
  Status find_epoch_size(Database& db) {
    for (const FamilyPick& pick : choice_.picks) {
      if (!pick.chosen || !pick.wraps) continue;
      const NamedStream& named = streams_[pick.stream].named;
      const auto family = family_of(named, pick);
      if (!family) continue;
      const MarkerSeries series = make_series(named, *family, numbering_);
      if (series.numbered || series.length <= 0) continue;
      const double least = family->motion.top;
      numbering_.epoch_size =
          solve_epoch_size(saved_samples(named, series.rows, series.length), least);
      if (numbering_.epoch_size) return ok_status();
      const auto by_tag = metric_samples(db, series.rows, series.length);
      if (!by_tag.ok()) return by_tag.status();
      for (const std::vector<EpochSample>& samples : *by_tag) {
        numbering_.epoch_size = solve_epoch_size(samples, least);
        if (numbering_.epoch_size) return ok_status();
      }
    }
    return ok_status();
  }

  void look_for_epoch_zero(const NamedStream& named, const Family& family) {
    std::vector<LineMetrics> metrics;
    for (const FamilyMember& m : family.members)
      metrics.push_back(
          find_metrics(named.series->templates[m.series], named.names[m.series], m.slot));
    const EpochLabels labels = label_epochs(named, family, metrics);
    const bool zero = std::any_of(labels.printed.begin(), labels.printed.end(),
                                  [](double epoch) { return epoch == 0; });
    numbering_.zero_based_epochs = numbering_.zero_based_epochs || zero;
  }

  // Steps only where the values are numbers of steps; without a period they merely order.
  std::string unit_of(const FamilyPick& pick, const MarkerSeries& series) const {
    if (pick.chosen && !series.numbered) return to_string(CountedUnit::kEpoch);
    if (numbering_.units_per_step) return to_string(CountedUnit::kStep);
    if (pick.chosen && series.like_samples) return to_string(CountedUnit::kSamples);
    return to_string(choice_.unit);
  }

  PickResult work_out(const FamilyPick& pick) const {
    PickResult out;
    const NamedStream& named = streams_[pick.stream].named;
    const auto family = family_of(named, pick);
    if (!family) return out;
    out.found = true;
    out.series = make_series(named, *family, numbering_);
    recover_batch_losses(named, *family, out.series);
    thin_markers(out.series.rows);
    out.row = template_row(pick, named, *family, out.series);
    if (!pick.chosen) return out;
    out.values = find_marker_values(named, *family, out.series);
    out.times = find_marker_times(named, *family, out.series);
    return out;
  }

  // Picks come in the order of their streams.
  Status hand_over(std::size_t index, PickResult& result, MarkerWriter& writer,
                   const MarkerSink& sink) {
    const FamilyPick& pick = choice_.picks[index];
    const JudgedStream& stream = streams_[pick.stream];
    const std::int64_t id = series_[pick.stream].stream;
    if (result.found && pick.chosen) {
      if (stream.training) agreement_.add(stream.task, result.series.rows);
      for (const MarkerValue& value : result.values) {
        TFPM_RETURN_IF_ERROR(writer.write(id, value));
      }
      for (const MarkerTime& time : result.times) TFPM_RETURN_IF_ERROR(writer.write(id, time));
      sink(id, result.series.rows);
    }
    if (result.found) templates_.push_back(std::move(result.row));
    const bool last =
        index + 1 == choice_.picks.size() || choice_.picks[index + 1].stream != pick.stream;
    if (last) std::vector<TemplateSeries>().swap(series_[pick.stream].templates);
    return ok_status();
  }

  TemplateRow template_row(const FamilyPick& pick, const NamedStream& named, const Family& family,
                           const MarkerSeries& series) const {
    const TemplateSeries* largest = &named.series->templates[family.members.front().series];
    for (const FamilyMember& m : family.members) {
      const TemplateSeries& t = named.series->templates[m.series];
      if (t.records > largest->records) largest = &t;
    }
    TemplateRow row;
    row.stream = named.series->stream;
    row.text = largest->text;
    row.step_key = series.step_key;
    row.score = pick.score;
    row.unit = unit_of(pick, series);
    row.edge = series.edge;
    row.period = series.period;
    row.chosen = pick.chosen;
    row.records = family.records;
    row.example_line = largest->example_line;
    row.example = largest->example;
    if (series.has_loss) {
      row.loss_key = series.loss_key;
      row.loss_mode = "unknown";
      row.loss_sure = series.loss_sure;
    }
    return row;
  }

  std::vector<StreamSeries>& series_;  // what the streams refer to; emptied one by one
  const std::vector<JudgedStream>& streams_;
  const DeclaredMarkers& declared_;
  unsigned threads_;
  MarkerChoice choice_;
  bool by_user_;  // the choice is the user's
  JobNumbering numbering_;
  LossAgreement agreement_;
  std::vector<TemplateRow> templates_;
};

}  // namespace

Status choose_markers(Database& db, std::vector<StreamSeries> series,
                      const std::vector<MarkerStream>& streams,
                      const std::vector<DeclaredMarker>& declared, unsigned threads,
                      const MarkerSink& sink) {
  Result<DeclaredMarkers> by_user = DeclaredMarkers::compile(declared);
  if (!by_user) return by_user.status();
  const std::vector<JudgedStream> judged = judged_streams(series, streams);
  return MarkerPass(series, judged, *by_user, threads).run(db, sink);
}

}  // namespace tfpm
