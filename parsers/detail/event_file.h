// All records of one event file, gathered into rows of schema/25_marker.sql and 26_event_file.sql.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/event_file_name.h"
#include "parsers/detail/event_series.h"
#include "parsers/detail/event_shapes.h"
#include "parsers/detail/event_value.h"
#include "parsers/detail/tfrecord.h"
#include "parsers/parser.h"

namespace tfpm {

class EventFile {
 public:
  // `owner`: the task the file belongs to as far as its path tells; empty = unknown.
  EventFile(EventFileName name, std::string owner)
      : name_(std::move(name)), owner_(std::move(owner)) {}

  // Records in order. Whatever does not parse as an Event is counted and otherwise left out.
  void add(const TfRecord& record);
  // Rows and problems; call once, at the end.
  void emit(Sink& sink) const;

 private:
  struct Stamp {
    std::uint64_t seq = 0;
    std::int64_t step = 0;
    std::int64_t wall_us = 0;  // 0 = none that can be believed
  };
  struct Histogram {
    Stamp at;
    HistogramFacts facts;
  };
  struct HistogramSeries {
    std::vector<Histogram> kept;
    bool last_finite = true;
  };
  struct Note {
    std::string_view kind;  // a literal
    std::string name, text;
    Stamp at;
  };

  void parse(const TfRecord& record);
  void see_time(std::int64_t wall_us);
  void add_known(const EventShapes::Match& known, std::uint64_t offset);
  // `record`: the whole event.
  void add_summary(std::string_view summary, Stamp at, std::string_view record);
  // The series of the tag; null when it is not kept.
  EventSeries* series_of(std::string_view tag);
  void add_point(EventSeries& series, const EventPoint& point);
  void add_histogram(std::string_view tag, const HistogramFacts& facts, const Stamp& at);
  void add_log(std::string_view message, const Stamp& at);
  void add_session(std::string_view message, const Stamp& at);
  void add_run_metadata(std::string_view message, const Stamp& at);
  void note(std::string_view kind, std::string_view name, std::string_view text, const Stamp& at);
  void emit_file(Sink& sink) const;
  void emit_scalars(Sink& sink) const;
  void emit_histograms(Sink& sink) const;
  void emit_notes(Sink& sink) const;

  EventFileName name_;
  std::string owner_;
  std::string version_;
  std::map<std::string, EventSeries, std::less<>> scalars_;  // by tag as stored
  EventShapes shapes_;                                       // of series in scalars_
  std::map<std::string, HistogramSeries, std::less<>> histograms_;
  std::vector<Note> notes_;
  std::uint64_t records_ = 0, values_ = 0, graphs_ = 0, run_metadata_ = 0, other_ = 0;
  std::uint64_t unparsed_ = 0, dropped_notes_ = 0;
  std::optional<std::uint64_t> first_unparsed_;  // byte offset
  std::optional<std::int64_t> first_us_, last_us_, last_step_;
  std::size_t points_ = 0;  // kept over all tags, an upper bound
  bool dropped_tags_ = false;
};

}  // namespace tfpm
