// What an event file becomes in the store.
#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "parsers/detail/event_file.h"

namespace tfpm {
namespace {

constexpr std::size_t kTagBytes = 300;
constexpr std::size_t kTextBytes = 1000;

Value known(const std::optional<std::int64_t>& value) {
  return value ? Value(*value) : null_value();
}

Value stamp(std::int64_t wall_us) {
  return wall_us > 0 ? Value(wall_us) : null_value();
}

Value text_or_null(std::string_view text, std::size_t limit = kTextBytes) {
  return text.empty() ? null_value() : Value(clean_utf8(text, limit));
}

Value finite_or_null(double value) {
  return std::isfinite(value) ? Value(value) : null_value();
}

// Tags are part of keys, and two may look alike once they are cut and cleaned.
class TagNames {
 public:
  std::string of(std::string_view tag) {
    const std::string clean = clean_utf8(tag, kTagBytes);
    int& used = used_[clean];
    ++used;
    return used == 1 ? clean : fmt::format("{}#{}", clean, used);
  }

 private:
  std::map<std::string, int> used_;
};

}  // namespace

void EventFile::emit(Sink& sink) const {
  emit_file(sink);
  emit_scalars(sink);
  emit_histograms(sink);
  emit_notes(sink);
  if (dropped_tags_) {
    sink.problem({"tfevents-many-tags", ProblemSeverity::kNotice, std::nullopt,
                  "more than 2000 tags, or tags without a usable name: the first 2000 are kept"});
  }
  if (unparsed_ > 0) {
    sink.problem({"tfevents-unparsed", ProblemSeverity::kDataLoss, first_unparsed_,
                  fmt::format("{} records have good checksums but are no events: another program's "
                              "TFRecord, or a writer's bug",
                              unparsed_)});
  }
}

void EventFile::emit_file(Sink& sink) const {
  sink.add("event_file", {{"owner", text_or_null(owner_)},
                          {"host", text_or_null(name_.host)},
                          {"pid", known(name_.pid)},
                          {"started_us", known(name_.started_us)},
                          {"version", text_or_null(version_)},
                          {"records", int_value(records_)},
                          {"scalars", int_value(values_)},
                          {"first_us", known(first_us_)},
                          {"last_us", known(last_us_)},
                          {"last_step", known(last_step_)},
                          {"graphs", int_value(graphs_)},
                          {"run_metadata", int_value(run_metadata_)},
                          {"other_values", int_value(other_)}});
}

void EventFile::emit_scalars(Sink& sink) const {
  TagNames names;
  for (const auto& [raw, series] : scalars_) {
    const std::string tag = names.of(raw);
    const std::vector<bool> superseded = series.superseded();
    for (std::size_t i = 0; i < series.points().size(); ++i) {
      const EventPoint& p = series.points()[i];
      std::vector<Field> row = {{"tag", tag},
                                {"seq", int_value(p.seq)},
                                {"step", p.step},
                                {"value", finite_or_null(p.value)},
                                {"state", text_value(finite_state(p.value))},
                                {"wall_us", stamp(p.wall_us)}};
      if (superseded[i]) row.push_back({"superseded", std::int64_t{1}});
      sink.add("metric", std::move(row));
    }
  }
}

void EventFile::emit_histograms(Sink& sink) const {
  TagNames names;
  for (const auto& [raw, series] : histograms_) {
    const std::string tag = names.of(raw);
    for (const Histogram& h : series.kept) {
      sink.add("metric_histogram",
               {{"tag", tag},
                {"seq", int_value(h.at.seq)},
                {"step", h.at.step},
                {"min", finite_or_null(h.facts.min)},
                {"max", finite_or_null(h.facts.max)},
                {"count", finite_or_null(h.facts.count)},
                {"sum", h.facts.sum ? finite_or_null(*h.facts.sum) : null_value()},
                {"finite", std::int64_t{h.facts.finite ? 1 : 0}},
                {"wall_us", stamp(h.at.wall_us)}});
    }
  }
}

void EventFile::emit_notes(Sink& sink) const {
  for (const Note& n : notes_) {
    sink.add("event_note", {{"seq", int_value(n.at.seq)},
                            {"kind", text_value(n.kind)},
                            {"name", text_or_null(n.name, kTagBytes)},
                            {"step", n.at.step},
                            {"text", text_or_null(n.text)},
                            {"wall_us", stamp(n.at.wall_us)}});
  }
  if (dropped_notes_ > 0) {
    sink.problem({"tfevents-many-texts", ProblemSeverity::kNotice, std::nullopt,
                  fmt::format("{} further texts are not kept", dropped_notes_)});
  }
}

}  // namespace tfpm
