// From planes to rows: steps with the split of their time, longest ops, tf.data stages, producer
// threads, memory (schema/58_profile.sql).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsers/parser.h"
#include "parsers/profile/event_class.h"
#include "parsers/profile/plane.h"
#include "parsers/profile/spans.h"

namespace tfpm {

// Spans of each class of one plane, joined over its lines.
using ClassSpans = std::array<SpanList, 8>;  // by EventClass

struct StepMark {
  std::optional<std::int64_t> step;
  Span span;
};

// What is kept of a plane when the next one comes.
struct PlaneSummary {
  std::string name, kind, model;
  std::uint64_t lines = 0, events = 0;
  std::optional<Span> extent;
  ClassSpans classes;
  std::vector<StepMark> steps;
  std::string_view basis;  // of the steps; empty = none
  std::vector<Row> rows;   // ops, iterators, producers, memory
};

class SpaceRows {
 public:
  void add(const Plane& plane);

  std::optional<std::int64_t> start_us() const { return start_us_; }
  std::optional<std::int64_t> window_us() const;
  std::string_view device() const;
  std::uint64_t lines() const { return lines_; }
  std::uint64_t unusable() const { return unusable_; }
  double resolution_us() const { return static_cast<double>(resolution_ps_) / 1e6; }

  // All rows but the profile's own.
  void emit(Sink& sink) const;

 private:
  void read_environment(const Plane& plane);
  void emit_steps(Sink& sink) const;

  std::vector<PlaneSummary> planes_;
  std::optional<std::int64_t> start_us_, stop_us_;
  std::uint64_t lines_ = 0, unusable_ = 0;
  std::int64_t resolution_ps_ = 0;
};

// Steps that a host plane's program numbered (formats.md 6.5, 1), in order.
std::vector<StepMark> host_steps(const Plane& plane);
// Steps of a device plane: of its Steps line, else launches of its modules; `basis` says which.
std::vector<StepMark> device_steps(const Plane& plane, std::string_view& basis);

// Rows of profile_op, profile_iterator and profile_producer.
std::vector<Row> op_rows(const Plane& plane, const std::vector<EventClass>& classes);
std::vector<Row> iterator_rows(const Plane& plane);
std::vector<Row> producer_rows(const Plane& plane, const std::vector<EventClass>& classes);
std::vector<Row> memory_rows(const Plane& plane);

}  // namespace tfpm
