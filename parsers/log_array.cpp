// Logs as a JSON array of records: `gcloud logging read --format=json`, exports of searches
// (log-formats.md 6.4). One object a line without an array is the log reader's.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "parsers/detail/json_text.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/log_export.h"
#include "parsers/detail/object_split.h"
#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

using Path = std::initializer_list<std::string_view>;

// Keys that hold what the program wrote.
constexpr std::array<std::string_view, 7> kTextKeys = {
    "textPayload", "message", "log", "MESSAGE", "_raw", "line", "@message"};
constexpr std::array<std::string_view, 7> kTimeKeys = {
    "timestamp", "@timestamp", "time", "_time", "receiveTimestamp", "ts", "__REALTIME_TIMESTAMP"};

// The first of these paths that holds a text.
std::string text_at(const OrderedJson& record, std::initializer_list<Path> paths) {
  for (const Path& path : paths) {
    const OrderedJson* value = find_path(record, path);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
  }
  return {};
}

std::optional<std::string> text_of(const OrderedJson& record) {
  for (const std::string_view key : kTextKeys) {
    const OrderedJson* value = find_member(record, key);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
  }
  return std::nullopt;
}

// A structured payload without a text of its own is a line of JSON that the program wrote.
std::optional<std::string> payload_of(const OrderedJson& record) {
  if (auto text = text_of(record)) return text;
  const OrderedJson* payload = find_member(record, "jsonPayload");
  if (payload == nullptr || !payload->is_object()) return std::nullopt;
  if (auto text = text_of(*payload)) return text;
  return payload->dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

// Seconds, milli-, micro- or nanoseconds since the epoch, by their size.
std::optional<std::int64_t> epoch_us(double value) {
  constexpr double kFirstMilli = 1e11;
  constexpr double kFirstMicro = 1e14;
  constexpr double kFirstNano = 1e17;
  if (!(value >= 1e8) || value >= 1e20) return std::nullopt;
  if (value < kFirstMilli) return static_cast<std::int64_t>(value * 1e6);
  if (value < kFirstMicro) return static_cast<std::int64_t>(value * 1e3);
  return static_cast<std::int64_t>(value < kFirstNano ? value : value / 1e3);
}

std::optional<TimeText> time_of(const OrderedJson& record) {
  for (const std::string_view key : kTimeKeys) {
    const OrderedJson* value = find_member(record, key);
    if (value == nullptr) continue;
    std::optional<double> number;
    if (value->is_number()) number = value->get<double>();
    if (value->is_string()) {
      const std::string text = value->get<std::string>();
      if (auto iso = leading_iso_time(text)) return iso;
      if (auto kibana = leading_kibana_time(text)) return kibana;
      number = parse_decimal(text);
    }
    if (!number) continue;
    if (const auto us = epoch_us(*number)) return TimeText{*us, 0, true};
  }
  return std::nullopt;
}

// Searches wrap the document that was indexed.
const OrderedJson& document_of(const OrderedJson& record) {
  const OrderedJson* source = find_member(record, "_source");
  return source != nullptr && source->is_object() ? *source : record;
}

bool is_record(const OrderedJson& record) {
  return record.is_object() && payload_of(document_of(record)) && time_of(document_of(record));
}

void add_record(const OrderedJson& value, LogExport& out) {
  const OrderedJson& record = document_of(value);
  const std::optional<std::string> text = payload_of(record);
  const std::optional<TimeText> time = time_of(record);
  const std::string pod = text_at(record, {{"resource", "labels", "pod_name"},
                                           {"kubernetes", "pod", "name"},
                                           {"kubernetes", "pod_name"},
                                           {"resource", "labels", "task_name"},
                                           {"pod_name"},
                                           {"podName"}});
  const std::string container = text_at(record, {{"resource", "labels", "container_name"},
                                                 {"kubernetes", "container", "name"},
                                                 {"kubernetes", "container_name"},
                                                 {"container_name"},
                                                 {"SYSLOG_IDENTIFIER"}});
  const std::string host = text_at(record, {{"labels", "compute.googleapis.com/resource_name"},
                                            {"host", "name"},
                                            {"host"},
                                            {"hostname"},
                                            {"_HOSTNAME"},
                                            {"resource", "labels", "instance_id"}});
  ExportedRecord exported;
  exported.text = *text;
  if (time) {
    exported.time_us = time->time_us;
    exported.zoned = time->zoned;
  }
  exported.pod = pod;
  exported.container = container;
  exported.host = host;
  out.add(exported);
}

class LogArrayParser : public Parser {
 public:
  std::string_view name() const override { return "log-array"; }

  // Judged by the first record alone: it has a time and a text.
  SniffScore sniff(const SniffInput& input) const override {
    const std::string_view head(input.head.data(), input.head.size());
    if (!trim(head.substr(head.starts_with("\xef\xbb\xbf") ? 3 : 0)).starts_with("[")) return 0;
    bool any = false;
    bool record = false;
    JsonSplitter splitter([&](const ObjectPiece& piece) {
      if (any) return;
      any = true;
      const JsonText json = parse_json_text(piece.text);
      record = json.value && is_record(*json.value);
    });
    for (const TextLine& line : split_lines(head, 400)) splitter.add(line);
    // One record may be longer than what is looked at.
    const bool cloud = contains(head, "\"insertId\"") || contains(head, "Payload\"");
    return record ? 82 : (!any && cloud ? 60 : 0);
  }

  Status parse(const MemberInfo&, ByteStream& in, Sink& sink) const override {
    LogExport out(sink);
    Foreign foreign;
    JsonSplitter splitter([&](const ObjectPiece& piece) {
      const JsonText json = parse_json_text(piece.text);
      if (json.value && payload_of(document_of(*json.value))) {
        add_record(*json.value, out);
      } else if (foreign.count++ == 0) {
        foreign.at = piece.byte_offset;
        foreign.why = json.value ? "it has no text" : json.error;
      }
    });
    const Status status = feed(in, splitter);
    out.finish();
    report(splitter, foreign, sink);
    return status;
  }

 private:
  // Elements that are no records.
  struct Foreign {
    std::uint64_t count = 0;
    std::uint64_t at = 0;  // the first
    std::string why;
  };

  // Lines in pieces: an array may be one line of any length.
  static Status feed(ByteStream& in, JsonSplitter& splitter) {
    std::vector<char> buffer(std::size_t{64} << 10);
    TextLine part;
    part.number = 1;
    while (true) {
      const Result<std::size_t> got = in.read(buffer);
      if (!got.ok()) return got.status();
      if (*got == 0) return ok_status();
      std::string_view rest(buffer.data(), *got);
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
        part.text = rest.substr(0, end);
        splitter.add_part(part);
        if (part.text.ends_with('\n')) ++part.number;
        part.offset += end;
        rest.remove_prefix(end);
      }
    }
  }

  static void report(const JsonSplitter& splitter, const Foreign& foreign, Sink& sink) {
    if (foreign.count > 0) {
      sink.problem({"log-array-record", ProblemSeverity::kNotice, foreign.at,
                    std::to_string(foreign.count) +
                        " elements are no records of a log; of the first: " + foreign.why});
    }
    if (splitter.skipped() > 0) {
      sink.problem(
          {"log-array-record-too-large", ProblemSeverity::kDataLoss, std::nullopt,
           "records of more than 3 MiB were left out: " + std::to_string(splitter.skipped())});
    }
    if (!splitter.complete()) {
      sink.problem({"log-array-cut", ProblemSeverity::kDataLoss, std::nullopt,
                    "the array does not end, or something stands behind it: the file was cut; the "
                    "records before that were read"});
    }
  }
};

}  // namespace

std::unique_ptr<Parser> make_log_array_parser() {
  return std::make_unique<LogArrayParser>();
}

}  // namespace tfpm
