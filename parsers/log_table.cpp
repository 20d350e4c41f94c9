// Logs as a table with a column of times and one of texts: CSV exports of Kibana and of other
// searches (log-formats.md 6.4). Texts may hold line ends inside their quotes.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "parsers/detail/line_reader.h"
#include "parsers/detail/log_export.h"
#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxRow = std::size_t{1} << 20;

constexpr std::array<std::string_view, 8> kTimes = {
    "@timestamp", "_time",    "timestamp",        "time",
    "date",       "datetime", "receivetimestamp", "eventtime"};
constexpr std::array<std::string_view, 9> kTexts = {
    "message", "_raw", "log",      "textpayload", "jsonpayload.message",
    "msg",     "line", "@message", "content"};
constexpr std::array<std::string_view, 6> kPods = {"kubernetes.pod.name",
                                                   "kubernetes.pod_name",
                                                   "resource.labels.pod_name",
                                                   "pod_name",
                                                   "pod",
                                                   "podname"};
constexpr std::array<std::string_view, 6> kContainers = {"kubernetes.container.name",
                                                         "kubernetes.container_name",
                                                         "resource.labels.container_name",
                                                         "container_name",
                                                         "container",
                                                         "service"};
constexpr std::array<std::string_view, 6> kHosts = {"host.name", "host.hostname", "hostname",
                                                    "_hostname", "host",          "agent.name"};

// Fields of a row; a quoted one may hold separators and line ends, "" is a quote.
std::vector<std::string> split_row(std::string_view row, char separator) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const char c = row[i];
    if (quoted && c == '"' && i + 1 < row.size() && row[i + 1] == '"') {
      out.back() += '"';
      ++i;
    } else if (c == '"' && (quoted || trim(out.back()).empty())) {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

// A row goes on in the next line while a quote is open.
bool is_open(std::string_view row) {
  return std::count(row.begin(), row.end(), '"') % 2 != 0;
}

struct Columns {
  char separator = ',';
  std::optional<std::size_t> time, text, pod, container, host;
  bool usable() const { return time && text; }
};

template <std::size_t N>
std::optional<std::size_t> find_column(const std::vector<std::string>& names,
                                       const std::array<std::string_view, N>& wanted) {
  for (const std::string_view name : wanted) {
    const auto it = std::find(names.begin(), names.end(), name);
    if (it != names.end()) return static_cast<std::size_t>(it - names.begin());
  }
  return std::nullopt;
}

Columns read_head(std::string_view head) {
  Columns out;
  for (const char separator : {',', ';', '\t'}) {
    std::vector<std::string> names = split_row(head, separator);
    for (std::string& name : names) name = to_lower(trim(name));
    out.separator = separator;
    out.time = find_column(names, kTimes);
    out.text = find_column(names, kTexts);
    out.pod = find_column(names, kPods);
    out.container = find_column(names, kContainers);
    out.host = find_column(names, kHosts);
    if (out.usable()) break;
  }
  return out;
}

std::optional<TimeText> read_time(std::string_view text) {
  text = trim(text);
  if (auto iso = leading_iso_time(text)) return iso;
  if (auto kibana = leading_kibana_time(text)) return kibana;
  return leading_rfc1123_time(text);
}

std::string_view field(const std::vector<std::string>& row, std::optional<std::size_t> column) {
  return column && *column < row.size() ? std::string_view(row[*column]) : std::string_view();
}

// "-" stands for a field that a document does not have.
std::string_view name_field(const std::vector<std::string>& row,
                            std::optional<std::size_t> column) {
  const std::string_view text = trim(field(row, column));
  return text == "-" || text == "(empty)" ? std::string_view() : text;
}

class TableReader {
 public:
  TableReader(ByteStream& in, Sink& sink) : lines_(in), sink_(sink), log_(sink) {}

  Status read() {
    const auto head = lines_.next();
    if (head) columns_ = read_head(head->text);
    if (!columns_.usable()) {
      sink_.problem({"log-table-head", ProblemSeverity::kDataLoss, 0,
                     "the first line names no column of times and none of texts: nothing was "
                     "read"});
      return ok_status();
    }
    while (const auto line = lines_.next()) add_line(*line);
    if (open_) {
      sink_.problem({"log-table-cut", ProblemSeverity::kDataLoss, row_offset_,
                     "the table ends inside a quoted field: it was cut; that row is read as far as "
                     "it goes"});
      add_row();
    }
    log_.finish();
    report();
    return lines_.status();
  }

 private:
  void add_line(const TextLine& line) {
    if (!open_) {
      row_.clear();
      row_offset_ = line.offset;
    } else {
      row_ += '\n';
    }
    if (row_.size() + line.text.size() > kMaxRow || line.cut) {
      // The end of such a row cannot be told from a new one.
      if (++overlong_ == 1) first_overlong_ = row_offset_;
      open_ = false;
      return;
    }
    row_ += line.text;
    open_ = is_open(line.text) != open_;
    if (!open_ && !trim(row_).empty()) add_row();
  }

  void add_row() {
    const std::vector<std::string> row = split_row(row_, columns_.separator);
    const auto time = read_time(field(row, columns_.time));
    if (!time && ++untimed_ == 1) first_untimed_ = row_offset_;
    ExportedRecord record;
    record.text = field(row, columns_.text);
    if (time) {
      record.time_us = time->time_us;
      record.zoned = time->zoned;
    }
    record.pod = name_field(row, columns_.pod);
    record.container = name_field(row, columns_.container);
    record.host = name_field(row, columns_.host);
    log_.add(record);
  }

  void report() {
    if (overlong_ > 0) {
      sink_.problem({"log-table-row-too-long", ProblemSeverity::kDataLoss, first_overlong_,
                     "rows of more than 1 MiB were left out: " + std::to_string(overlong_)});
    }
    if (untimed_ > 0) {
      sink_.problem(
          {"log-table-time", ProblemSeverity::kNotice, first_untimed_,
           "rows whose time is not understood keep their place: " + std::to_string(untimed_)});
    }
    if (lines_.hit_limit()) {
      sink_.problem({"text-line-limit", ProblemSeverity::kDataLoss, std::nullopt,
                     "more than 10,000,000 lines; the rest was not read"});
    }
  }

  LineReader lines_;
  Sink& sink_;
  LogExport log_;
  Columns columns_;
  std::string row_;
  bool open_ = false;
  std::uint64_t row_offset_ = 0;
  std::uint64_t overlong_ = 0, first_overlong_ = 0, untimed_ = 0, first_untimed_ = 0;
};

class LogTableParser : public Parser {
 public:
  std::string_view name() const override { return "log-table"; }

  SniffScore sniff(const SniffInput& input) const override {
    const std::vector<TextLine> lines = split_lines({input.head.data(), input.head.size()}, 2);
    if (lines.empty()) return 0;
    const Columns columns = read_head(lines[0].text);
    if (!columns.usable()) return 0;
    if (lines.size() < 2 || lines[1].text.empty()) return input.complete ? 60 : 0;
    const std::vector<std::string> row = split_row(lines[1].text, columns.separator);
    return read_time(field(row, columns.time)) ? 78 : 0;
  }

  Status parse(const MemberInfo&, ByteStream& in, Sink& sink) const override {
    return TableReader(in, sink).read();
  }
};

}  // namespace

std::unique_ptr<Parser> make_log_table_parser() {
  return std::make_unique<LogTableParser>();
}

}  // namespace tfpm
