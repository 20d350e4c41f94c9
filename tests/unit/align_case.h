// A small store for alignment's tests: one log per task, made line by line.
#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "align/align.h"
#include "ingest/learner.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm::test {

class Case {
 public:
  Case() : db_(open()), rows_(db_) {}

  std::int64_t log(const std::string& path, const std::string& task) {
    const std::int64_t source = put({"source", {{"path", path}, {"status", text_value("read")}}});
    rows_.begin_source(source);
    stream_ = put({"stream", {{"tag_kind", text_value("none")}, {"records", int_value(20)}}});
    if (!task.empty()) claim("file", task, 0);
    seq_ = 100;
    learners_.emplace_back();
    streams_.push_back(stream_);
    return stream_;
  }

  void claim(std::string_view kind, const std::string& value, std::int64_t offset) {
    put({"claim_identity",
         {{"stream", stream_},
          {"kind", text_value(kind)},
          {"value", value},
          {"byte_offset", offset}}});
  }

  void step(std::int64_t n, double loss = 1.0) {
    line(n, fmt::format("step {} loss {:.4f}", n, loss));
  }

  // A record printed at step n.
  void line(std::int64_t n, const std::string& text) {
    LearnerRecord r;
    r.seq = static_cast<std::uint64_t>(next());
    r.line = r.seq;
    r.time_us = n * step_us_ + offset_us_;
    r.text = text;
    learners_.back().add(r);
  }

  std::int64_t event(std::string_view kind, std::string_view signature,
                     std::vector<std::pair<std::string, std::string>> captures = {},
                     std::optional<std::int64_t> time_us = std::nullopt,
                     std::string_view severity = "error") {
    const std::int64_t at = next();
    const std::int64_t id =
        put({"event",
             {{"byte_offset", at},
              {"line", at},
              {"stream", stream_},
              {"seq", at},
              {"time_raw_us", time_us ? Value(*time_us) : null_value()},
              {"severity", text_value(severity)},
              {"kind", text_value(kind)},
              {"signature_id", signature.empty() ? null_value() : text_value(signature)},
              {"record_line", at},
              {"text", text_value("text")}}});
    for (const auto& [name, value] : captures) {
      put({"event_capture", {{"event_id", id}, {"name", name}, {"value", value}}});
    }
    return id;
  }

  // A record among the last of its log.
  std::int64_t last_words(const std::string& text) {
    return event("tail", "", {{"template", text}}, std::nullopt, "info");
  }

  // A cluster that the last log prints.
  void cluster(const std::string& text) {
    const std::int64_t id = put({"cluster_spec", {{"text", text}}});
    put({"tf_config",
         {{"form", text_value("repr")},
          {"byte_offset", next()},
          {"valid_json", int_value(1)},
          {"cluster_id", id},
          {"stream", stream_},
          {"text", text}}});
  }

  void exit(const std::string& task, std::int64_t code, std::int64_t attempt = 0) {
    put({"exit_record",
         {{"line", int_value(1)},
          {"byte_offset", int_value(0)},
          {"what", text_value("exited")},
          {"task", task},
          {"attempt", attempt},
          {"exit_code", code},
          {"text", text_value("exited")}}});
  }

  void restart(std::int64_t pid) {
    const std::int64_t at = next();
    claim("pid", std::to_string(pid), at);
    learners_.back().start_attempt(static_cast<std::uint64_t>(at));
  }

  // The last log ends inside a line, after so many bytes.
  void torn_after(std::int64_t bytes) {
    REQUIRE(
        db_.execute(fmt::format("UPDATE source SET bytes = {} WHERE id = (SELECT source_id FROM "
                                "stream WHERE id = {})",
                                bytes, stream_))
            .ok());
    REQUIRE(
        db_.execute(fmt::format("UPDATE stream SET ends_torn = 1 WHERE id = {}", stream_)).ok());
  }

  // First and last stamp of the last log.
  void stamped(std::int64_t first_us, std::int64_t last_us) {
    REQUIRE(db_.execute(fmt::format("UPDATE stream SET first_us = {}, last_us = {} WHERE id = {}",
                                    first_us, last_us, stream_))
                .ok());
  }

  // The clock of the steps and events that follow.
  void clock(std::int64_t step_us, std::int64_t offset_us) {
    step_us_ = step_us;
    offset_us_ = offset_us;
  }

  void run(const AlignOptions& options = {}) {
    std::vector<StreamSeries> series;
    for (std::size_t i = 0; i < learners_.size(); ++i) {
      series.push_back(learners_[i].take());
      series.back().stream = streams_[i];
    }
    const Status status = align(db_, std::move(series), options);
    REQUIRE((status.ok() ? "" : status.diagnostic().to_string()) == "");
  }

  std::string text(const std::string& sql) {
    const auto value = db_.query_text(sql);
    REQUIRE(value.ok());
    return value->value_or("NULL");
  }
  std::string ending(const std::string& task) {
    return text("SELECT ending FROM worker WHERE name = '" + task + "'");
  }

 private:
  static Database open() {
    Result<Database> db = Database::create_in_memory();
    REQUIRE(db.ok());
    return std::move(*db);
  }
  std::int64_t next() { return seq_ += 10; }
  std::int64_t put(const Row& row) {
    const Result<std::int64_t> id = rows_.write(row);
    REQUIRE(id.ok());
    return *id;
  }

  Database db_;
  RowWriter rows_;
  std::int64_t stream_ = 0;
  std::int64_t step_us_ = 100'000, offset_us_ = 0;
  std::int64_t seq_ = 0;
  std::deque<SeriesLearner> learners_;
  std::vector<std::int64_t> streams_;
};

inline void steps(Case& c, std::int64_t from, std::int64_t to) {
  for (std::int64_t n = from; n <= to; ++n) c.step(n, 2.0 + 0.01 * static_cast<double>(n));
}

}  // namespace tfpm::test
