// Slurm's record of jobs: `scontrol show job` (keys over several lines), the job completion log
// (the same keys on one line), `sacct` tables in fixed width or with '|'
// (log-formats.md 6.3, 7.6).
#include <algorithm>
#include <memory>
#include <utility>

#include "parsers/detail/exit_lines.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/slurm_job.h"
#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

struct PlacedRecord {
  ExitRecord record;
  std::string text;
  std::uint64_t line = 0, byte_offset = 0;
};

// Collects the keys of one job; the record stands on the line of its state.
class JobReader {
 public:
  explicit JobReader(Sink& sink) : sink_(sink) {}

  bool add(const TextLine& line) {
    if (slurm_value(line.text, "JobId")) finish();
    bool known = slurm_value(line.text, "JobId").has_value();
    if (const auto state = slurm_value(line.text, "JobState")) {
      known = true;
      state_ = std::string(*state);
      job_.line = line.number;
      job_.byte_offset = line.offset;
      job_.text = std::string(trim(line.text));
    }
    if (const auto code = slurm_value(line.text, "ExitCode")) exit_code_ = std::string(*code);
    if (const auto end = slurm_value(line.text, "EndTime")) {
      if (const auto stamp = leading_iso_time(*end)) job_.record.time_us = stamp->time_us;
    }
    if (const auto restarts = slurm_value(line.text, "Restarts")) {
      job_.record.attempt = parse_int(*restarts);
    }
    return known;
  }

  void finish() {
    if (const auto what = slurm_state_meaning(state_)) {
      job_.record.what = *what;
      job_.record.reason = std::string(slurm_state_name(state_));
      set_slurm_exit_code(job_.record, exit_code_);
      emit_exit_record(job_.record, job_.text, job_.line, job_.byte_offset, sink_);
    }
    job_ = PlacedRecord();
    state_.clear();
    exit_code_.clear();
  }

 private:
  Sink& sink_;
  PlacedRecord job_;
  std::string state_, exit_code_;
};

// Columns of a sacct table by its header; fixed width tables have a line of dashes below it.
class SacctReader {
 public:
  explicit SacctReader(Sink& sink) : sink_(sink) {}

  bool add(const TextLine& line) {
    if (is_header(line.text)) {
      header_ = std::string(line.text);
      bars_ = contains(header_, "|");
      columns_ = bars_ ? cells(header_) : std::vector<std::string>();
      widths_.clear();
      return true;
    }
    if (header_.empty()) return false;
    if (!bars_ && widths_.empty()) {
      read_widths(line.text);
      if (widths_.empty()) header_.clear();
      return !header_.empty();
    }
    const std::vector<std::string> row = cells(line.text);
    if (row.size() != columns_.size()) return false;
    emit(row, line);
    return true;
  }

  static bool is_header(std::string_view line) {
    return contains(line, "JobID") && contains(line, "State") && contains(line, "ExitCode") &&
           !contains(line, "=");
  }

 private:
  // "------------ ----------": where the columns are.
  void read_widths(std::string_view dashes) {
    if (dashes.find_first_not_of("- ") != std::string_view::npos) return;
    std::size_t at = 0;
    while (at < dashes.size()) {
      const std::size_t begin = dashes.find('-', at);
      if (begin == std::string_view::npos) break;
      const std::size_t end = std::min(dashes.find(' ', begin), dashes.size());
      widths_.emplace_back(begin, end - begin);
      at = end;
    }
    columns_ = cells(header_);
  }

  std::vector<std::string> cells(std::string_view line) const {
    std::vector<std::string> out;
    if (bars_) {
      if (line.ends_with("|")) line.remove_suffix(1);  // --parsable ends lines with one
      for (const std::string_view cell : split(line, '|')) out.emplace_back(cell);
      return out;
    }
    for (const auto& [begin, length] : widths_) {
      out.emplace_back(begin < line.size() ? trim(line.substr(begin, length)) : std::string_view());
    }
    return out;
  }

  std::string value(const std::vector<std::string>& row, std::string_view column) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == column) return row[i];
    }
    return {};
  }

  // Steps count only when they tell what the job's own line may not: who was killed, and how.
  void emit(const std::vector<std::string>& row, const TextLine& line) {
    const std::string state = value(row, "State");
    const auto what = slurm_state_meaning(state);
    const bool step = contains(value(row, "JobID"), ".");
    if (!what || (step && *what == "job-end")) return;
    ExitRecord record(*what);
    record.reason = std::string(slurm_state_name(state));
    set_slurm_exit_code(record, value(row, "ExitCode"));
    const std::string nodes = value(row, "NodeList");
    const bool one_node = !nodes.empty() && nodes.find_first_of("[,+") == std::string::npos;
    if (one_node && !contains(nodes, "None")) record.host = nodes;
    if (const auto stamp = leading_iso_time(value(row, "End"))) record.time_us = stamp->time_us;
    emit_exit_record(record, trim(line.text), line.number, line.offset, sink_);
  }

  Sink& sink_;
  std::string header_;
  bool bars_ = false;
  std::vector<std::string> columns_;
  std::vector<std::pair<std::size_t, std::size_t>> widths_;  // begin, length
};

class SlurmJobsParser : public Parser {
 public:
  std::string_view name() const override { return "slurm-jobs"; }

  SniffScore sniff(const SniffInput& input) const override {
    for (const TextLine& line : split_lines({input.head.data(), input.head.size()}, 20)) {
      const std::string_view text = trim(line.text);
      if (text.empty() || text[0] == '#' || text[0] == '$') continue;
      if (text.starts_with("JobId=") && contains(text, " ")) return 90;
      return SacctReader::is_header(text) ? 85 : 0;
    }
    return 0;
  }

  Status parse(const MemberInfo&, ByteStream& in, Sink& sink) const override {
    LineReader lines(in);
    JobReader jobs(sink);
    SacctReader table(sink);
    while (const auto line = lines.next()) {
      if (!table.add(*line)) jobs.add(*line);
    }
    jobs.finish();
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_slurm_jobs_parser() {
  return std::make_unique<SlurmJobsParser>();
}

}  // namespace tfpm
