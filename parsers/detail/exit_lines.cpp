#include "parsers/detail/exit_lines.h"

#include <array>
#include <utility>

#include "parsers/detail/launcher_lines.h"
#include "parsers/detail/mpi_lines.h"
#include "parsers/detail/slurm_lines.h"
#include "parsers/detail/text.h"

namespace tfpm {
namespace {

struct SignalName {
  std::string_view text;  // as a shell describes it
  std::string_view name;  // without SIG
  int number;
};

constexpr std::array<SignalName, 17> kSignals = {{{"Hangup", "HUP", 1},
                                                  {"Interrupt", "INT", 2},
                                                  {"Quit", "QUIT", 3},
                                                  {"Illegal instruction", "ILL", 4},
                                                  {"Trace/breakpoint trap", "TRAP", 5},
                                                  {"Aborted", "ABRT", 6},
                                                  {"Bus error", "BUS", 7},
                                                  {"Floating point exception", "FPE", 8},
                                                  {"Killed", "KILL", 9},
                                                  {"User defined signal 1", "USR1", 10},
                                                  {"Segmentation fault", "SEGV", 11},
                                                  {"User defined signal 2", "USR2", 12},
                                                  {"Broken pipe", "PIPE", 13},
                                                  {"Alarm clock", "ALRM", 14},
                                                  {"Terminated", "TERM", 15},
                                                  {"CPU time limit exceeded", "XCPU", 24},
                                                  {"File size limit exceeded", "XFSZ", 25}}};
constexpr std::int64_t kMaxSignal = 64;

}  // namespace

void set_signal(ExitRecord& record, std::int64_t signal) {
  if (signal < 1 || signal > kMaxSignal) return;
  record.signal = signal;
  record.exit_code = 128 + signal;
}

void set_exit_code(ExitRecord& record, std::int64_t code) {
  if (code < 0) {
    set_signal(record, -code);
  } else if (code > 128 && code <= 128 + 31) {
    set_signal(record, code - 128);
  } else {
    record.exit_code = code;
  }
}

std::optional<std::int64_t> signal_number(std::string_view text) {
  text = trim(text);
  constexpr std::string_view kCore = " (core dumped)";
  if (text.ends_with(kCore)) text.remove_suffix(kCore.size());
  std::string_view name = text;
  eat(name, "SIG");
  for (const SignalName& signal : kSignals) {
    if (text == signal.text || name == signal.name) return signal.number;
  }
  return std::nullopt;
}

bool may_be_exit_line(std::string_view line) {
  if (line.size() < 10) return false;
  switch (line[0]) {
    case 's':
      return line.starts_with("srun") || line.starts_with("slurm") || line.starts_with("salloc");
    case 'm':
    case 'p':
    case 'o':
    case 'h':
      return line.starts_with("mpirun") || line.starts_with("mpiexec") ||
             line.starts_with("prterun") || line.starts_with("orterun") ||
             line.starts_with("horovodrun");
    case 'P':
      return line.starts_with("Primary job") || line.starts_with("Process ");
    case 'T':
      return line.starts_with("Terminating remaining");
    case ' ':
    case '=':
      return line.starts_with("  Process name:") || line.starts_with("  Exit code:") ||
             line.starts_with("=  ");
    case 'b':
    case '/':
      return contains(line, ": line ");
    default:
      return is_digit(line[0]) && line.size() > 21 && line[4] == '-' && line[10] == 'T' &&
             line[19] == 'Z';
  }
}

std::vector<ExitRecord> ExitLineReader::read_block(std::string_view line) {
  if (is_mpi_block_start(line)) {
    in_block_ = true;
    pending_ = ExitRecord{"exited"};
    return {};
  }
  if (!in_block_) return {};
  const MpiBlockLine kind = read_mpi_block_line(line, pending_);
  if (kind == MpiBlockLine::kMore) return {};
  in_block_ = false;
  if (kind == MpiBlockLine::kComplete) return {std::exchange(pending_, ExitRecord())};
  return {};
}

std::vector<ExitRecord> ExitLineReader::read(std::string_view line) {
  if (records_ >= kMaxRecords) return {};
  std::vector<ExitRecord> records = read_line(line);
  if (records.size() > kMaxRecords - records_) records.resize(kMaxRecords - records_);
  records_ += records.size();
  return records;
}

std::vector<ExitRecord> ExitLineReader::read_line(std::string_view line) {
  if (in_block_ || is_mpi_block_start(line)) return read_block(line);
  if (!may_be_exit_line(line)) return {};
  if (line[0] == 's') return read_slurm_line(line);
  if (is_digit(line[0])) return read_launcher_line(line);
  if (line[0] == 'b' || line[0] == '/') return read_shell_line(line);
  return read_mpi_line(line);
}

void emit_exit_record(const ExitRecord& record, std::string_view text, std::uint64_t line_number,
                      std::uint64_t byte_offset, Sink& sink) {
  constexpr std::size_t kStoredText = 2000;
  sink.add("exit_record", {{"line", int_value(line_number)},
                           {"byte_offset", int_value(byte_offset)},
                           {"what", text_value(record.what)},
                           {"task", optional_value(record.task)},
                           {"rank", optional_value(record.rank)},
                           {"host", optional_value(record.host)},
                           {"attempt", optional_value(record.attempt)},
                           {"pid", optional_value(record.pid)},
                           {"exit_code", optional_value(record.exit_code)},
                           {"signal", optional_value(record.signal)},
                           {"reason", optional_value(record.reason)},
                           {"time_raw_us", optional_value(record.time_us)},
                           {"text", text_value(clean_utf8(text, kStoredText))}});
}

bool emit_exit_line(ExitLineReader& reader, std::string_view line, std::uint64_t line_number,
                    std::uint64_t byte_offset, Sink& sink) {
  const std::vector<ExitRecord> records = reader.read(line);
  for (const ExitRecord& record : records) {
    emit_exit_record(record, line, line_number, byte_offset, sink);
  }
  return !records.empty();
}

}  // namespace tfpm
