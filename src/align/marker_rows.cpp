#include "align/marker_rows.h"

#include <cmath>

#include "base/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kExampleBytes = 300, kTemplateBytes = 2000;

void bind_text(Statement& s, int index, const std::string& text) {
  if (text.empty()) {
    s.bind_null(index);
  } else {
    s.bind(index, std::string_view(text));
  }
}

void bind_int(Statement& s, int index, const std::optional<std::int64_t>& value) {
  if (value) {
    s.bind(index, *value);
  } else {
    s.bind_null(index);
  }
}

std::string_view loss_state(double loss) {
  if (std::isfinite(loss)) return "finite";
  if (std::isnan(loss)) return "nan";
  return loss > 0 ? "inf" : "-inf";
}

}  // namespace

Result<MarkerWriter> MarkerWriter::open(Database& db) {
  Result<Statement> tmpl = db.prepare(
      "INSERT INTO "
      "marker_template(stream,template,step_slot,loss_slot,score,unit,edge,period,loss_mode,"
      "loss_sure,chosen,records,example_line,example) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  if (!tmpl) return tmpl.status();
  Result<Statement> value = db.prepare(
      "INSERT OR REPLACE INTO marker_value(stream,name,seq,value,state) VALUES(?,?,?,?,?)");
  if (!value) return value.status();
  Result<Statement> time =
      db.prepare("INSERT INTO marker_time(stream,name,seq,part,us) VALUES(?,?,?,?,?)");
  if (!time) return time.status();
  return MarkerWriter(std::move(*tmpl), std::move(*value), std::move(*time));
}

Status MarkerWriter::write(const TemplateRow& row) {
  const std::string example = clean_utf8(row.example, kExampleBytes);
  const std::string text = clean_utf8(row.text, kTemplateBytes);
  Statement& s = template_;
  s.bind(1, row.stream).bind(2, std::string_view(text));
  bind_text(s, 3, row.step_key);
  bind_text(s, 4, row.loss_key);
  s.bind(5, row.score).bind(6, std::string_view(row.unit));
  s.bind(7, std::string_view(to_string(row.edge)));
  bind_int(s, 8, row.period);
  bind_text(s, 9, row.loss_mode);
  s.bind(10, static_cast<std::int64_t>(row.loss_sure));
  s.bind(11, static_cast<std::int64_t>(row.chosen));
  s.bind(12, static_cast<std::int64_t>(row.records));
  s.bind(13, static_cast<std::int64_t>(row.example_line)).bind(14, std::string_view(example));
  return s.run();
}

Status MarkerWriter::write(std::int64_t stream, const MarkerValue& value) {
  const std::string name = clean_utf8(value.name, kExampleBytes);
  Statement& s = value_;
  s.bind(1, stream).bind(2, std::string_view(name)).bind(3, static_cast<std::int64_t>(value.seq));
  if (std::isfinite(value.value)) {
    s.bind(4, value.value);
  } else {
    s.bind_null(4);
  }
  s.bind(5, loss_state(value.value));
  return s.run();
}

Status MarkerWriter::write(std::int64_t stream, const MarkerTime& time) {
  const std::string name = clean_utf8(time.name, kExampleBytes);
  const std::string_view part = time.part == TimePart::kInput           ? "input"
                                : time.part == TimePart::kCommunication ? "communication"
                                                                        : "whole";
  Statement& s = time_;
  s.bind(1, stream).bind(2, std::string_view(name)).bind(3, static_cast<std::int64_t>(time.seq));
  s.bind(4, part).bind(5, static_cast<std::int64_t>(std::llround(time.seconds * 1e6)));
  return s.run();
}

}  // namespace tfpm
