// Application logs with one JSON object a line: the well-known keys (log-formats.md sections 1.1
// and 3).
#include <array>

#include "ingest/bytes.h"
#include "ingest/header_forms.h"
#include "ingest/json_line.h"
#include "ingest/stamp.h"

namespace tfpm {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view key, const std::array<std::string_view, N>& keys) {
  for (const std::string_view candidate : keys) {
    if (key == candidate) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 8> kTimeKeys = {
    "ts", "time", "timestamp", "@timestamp", "asctime", "datetime", "date", "created"};
constexpr std::array<std::string_view, 6> kLevelKeys = {"level", "levelname", "severity",
                                                        "lvl",   "log.level", "levelName"};
constexpr std::array<std::string_view, 3> kMessageKeys = {"message", "msg", "text"};
constexpr std::array<std::string_view, 3> kLoggerKeys = {"logger", "name", "logger_name"};
// Numbers that say who or where, not how far: they do not make a line a step line.
constexpr std::array<std::string_view, 14> kPlainNumbers = {
    "pid",  "process", "thread",     "tid",        "lineno",    "line",       "rank",
    "task", "worker",  "local_rank", "process_id", "thread_id", "world_size", "levelno"};

Stamp stamp_of(const JsonField& field) {
  if (field.type == JsonType::kString) {
    if (const StampMatch iso = parse_iso_stamp(field.value)) return iso.stamp;
    if (const StampMatch clock = parse_clock_stamp(field.value)) return clock.stamp;
  }
  return parse_epoch_stamp(field.value).value_or(Stamp{});
}

struct Facts {
  bool time_or_level = false;
  bool message = false;
  bool measures = false;  // has numbers besides those that say who or where
};

void take_field(const JsonField& field, LineHeader& out, Facts& facts) {
  if (out.stamp.basis == StampBasis::kNone && is_one_of(field.key, kTimeKeys)) {
    out.stamp = stamp_of(field);
    facts.time_or_level |= out.stamp.basis != StampBasis::kNone;
    return;
  }
  if (field.type == JsonType::kString && is_one_of(field.key, kLevelKeys)) {
    out.severity = parse_level_word(field.value).severity;
    facts.time_or_level = true;
  } else if (field.type == JsonType::kString && !facts.message &&
             is_one_of(field.key, kMessageKeys)) {
    facts.message = true;
    out.message = field.value;
    out.escaped = field.value.find('\\') != std::string_view::npos;
  } else if (field.type == JsonType::kString && is_one_of(field.key, kLoggerKeys)) {
    out.file = field.value;
  } else if (field.type == JsonType::kNumber && !is_one_of(field.key, kPlainNumbers) &&
             !is_one_of(field.key, kTimeKeys)) {
    facts.measures = true;
  }
}

}  // namespace

bool parse_json_header(std::string_view line, LineHeader& out) {
  JsonLine reader(line);
  JsonField field;
  Facts facts;
  while (reader.next(field)) take_field(field, out, facts);
  if (!reader.complete()) return false;
  if (!facts.time_or_level && !facts.message && !facts.measures) return false;
  out.family = HeaderFamily::kJson;
  if (!facts.message || facts.measures) {  // the numbers are the message
    out.message = line;
    out.escaped = false;
  }
  return true;
}

}  // namespace tfpm
