// Writes marker_template, marker_value and marker_time rows (schema/25_marker.sql).
#pragma once

#include <cstdint>
#include <string>

#include "align/marker_steps.h"
#include "align/marker_values.h"
#include "base/status.h"
#include "store/database.h"

namespace tfpm {

// What a marker_template row says of one family of a stream.
struct TemplateRow {
  std::int64_t stream = 0;
  std::string text;
  std::string step_key, loss_key;
  double score = 0;
  std::string unit;
  MarkerEdge edge = MarkerEdge::kUnknown;
  std::optional<std::int64_t> period;
  std::string loss_mode;  // empty = no loss
  bool loss_sure = false;
  bool chosen = false;
  std::uint64_t records = 0;
  std::uint64_t example_line = 0;
  std::string example;
};

class MarkerWriter {
 public:
  static Result<MarkerWriter> open(Database& db);
  Status write(const TemplateRow& row);
  Status write(std::int64_t stream, const MarkerValue& value);
  Status write(std::int64_t stream, const MarkerTime& time);

 private:
  MarkerWriter(Statement tmpl, Statement value, Statement time)
      : template_(std::move(tmpl)), value_(std::move(value)), time_(std::move(time)) {}
  Statement template_, value_, time_;
};

}  // namespace tfpm
