// Records of log collectors, one JSON object a line (log-formats.md sections 6.1, 6.2, 6.4).
#include "ingest/bytes.h"
#include "ingest/envelope_forms.h"
#include "ingest/json_line.h"
#include "ingest/stamp.h"

namespace tfpm {
namespace {

Stamp stamp_of(const JsonField& field) {
  if (const StampMatch iso = parse_iso_stamp(field.value)) return iso.stamp;
  return parse_epoch_stamp(field.value).value_or(Stamp{});
}

bool is_text_key(std::string_view key) {
  return key == "message" || key == "log" || key == "textPayload" || key == "MESSAGE" ||
         key == "line";
}

void set_text(std::string_view text, Envelope& out) {
  if (text.ends_with("\\n")) text.remove_suffix(2);
  out.inner = text;
  out.escaped = text.find('\\') != std::string_view::npos;
}

// Objects that say where a record comes from: `kubernetes`, `resource`, `labels`, `jsonPayload`.
void take_nested(const JsonField& field, Envelope& out) {
  JsonLine reader(field.value);
  JsonField inner;
  while (reader.next(inner)) {
    if (inner.key == "pod_name" || inner.key == "task_name") {
      out.tag = inner.value;
    } else if (inner.key == "container_name") {
      out.container = inner.value;
    } else if (inner.key == "pod" && inner.type == JsonType::kObject) {
      out.tag = find_json_field(inner.value, "name").value;
    } else if (inner.key == "pod" && out.tag.empty()) {
      out.tag = inner.value;
    } else if (inner.key == "labels" && field.key == "resource") {
      take_nested({"labels", inner.value, inner.type}, out);
    } else if (field.key == "jsonPayload" && inner.type == JsonType::kString &&
               is_text_key(inner.key)) {
      set_text(inner.value, out);
    }
  }
}

void take_field(const JsonField& field, Envelope& out, bool& text, bool& collector) {
  if (field.type == JsonType::kString && is_text_key(field.key)) {
    set_text(field.value, out);
    text = true;
    collector |= field.key == "textPayload" || field.key == "MESSAGE";
  } else if (field.key == "MESSAGE" && field.type == JsonType::kArray) {
    // Of journald: byte values of a text that is no UTF-8; LogPass takes them for an escape.
    out.inner = field.value;
    out.escaped = true;
    text = collector = true;
  } else if (field.key == "stream") {
    out.channel = field.value;
  } else if (field.key == "podName" || field.key == "logStreamName" || field.key == "logStream") {
    out.tag = field.value;
    collector = true;
  } else if (field.key == "containerName" || field.key == "SYSLOG_IDENTIFIER") {
    out.container = field.value;
  } else if (field.key == "_HOSTNAME") {
    out.tag = field.value;
  } else if (field.key == "kubernetes" || field.key == "resource" || field.key == "labels") {
    take_nested(field, out);
    collector |= !out.tag.empty();
  } else if (field.key == "jsonPayload") {
    const std::string_view before = out.inner;
    take_nested(field, out);
    text |= out.inner.data() != before.data();
    collector = true;
  } else if (field.key == "timestamp" || field.key == "time" || field.key == "@timestamp" ||
             field.key == "__REALTIME_TIMESTAMP") {
    out.stamp = stamp_of(field);
  }
}

// Loki's `2026-03-05T14:05:42Z {pod="resnet-worker-2", container="tf"} msg`.
bool peel_loki(std::string_view line, Envelope& out) {
  const StampMatch stamp = parse_iso_stamp(line);
  if (!stamp || stamp.stamp.basis != StampBasis::kZoned) return false;
  std::string_view rest = line.substr(stamp.length);
  if (!rest.starts_with(" {")) return false;
  const std::size_t end = rest.substr(0, 1000).find("\"} ");
  if (end == std::string_view::npos) return false;
  const std::string_view labels = rest.substr(1, end);
  const auto label = [labels](std::string_view key) {
    const std::size_t at = labels.find(key);
    if (at == std::string_view::npos) return std::string_view();
    const std::string_view value = labels.substr(at + key.size());
    return value.substr(0, value.find('"'));
  };
  out.tag = label("{pod=\"");
  if (out.tag.empty()) out.tag = label(" pod=\"");
  out.container = label("container=\"");
  out.stamp = stamp.stamp;
  out.inner = rest.substr(end + 3);
  return !out.tag.empty();
}

}  // namespace

bool peel_collector_json(std::string_view line, Envelope& out) {
  if (!line.empty() && is_digit(line[0])) return peel_loki(line, out);
  if (!line.starts_with("{\"")) return false;
  JsonLine reader(line);
  JsonField field;
  bool text = false;
  bool collector = false;
  while (reader.next(field)) take_field(field, out, text, collector);
  return text && collector && reader.complete();
}

}  // namespace tfpm
