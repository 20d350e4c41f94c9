// What launchers, Slurm, mpirun, Horovod and shells say about the processes they started
// (log-formats.md 6.3, 7.4), line by line. Such lines stand in files of their own (parser
// `launcher`) and in the platform's part of mixed logs (the log reader).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

// One statement about one process, task, rank or the whole job. Values as in schema
// `exit_record`; absent = not said.
struct ExitRecord {
  explicit ExitRecord(std::string_view what_ = "exited") : what(what_) {}

  std::string_view what;  // 'started', 'exited', ...: a string literal
  std::optional<std::string> task;
  std::optional<std::int64_t> rank;
  std::optional<std::string> host;
  std::optional<std::int64_t> attempt;
  std::optional<std::int64_t> pid;
  std::optional<std::int64_t> exit_code;  // 128+N for signals
  std::optional<std::int64_t> signal;
  std::optional<std::string> reason;
  std::optional<std::int64_t> time_us;
};

// Cheap test for the hot path: false for nearly every line that is none.
bool may_be_exit_line(std::string_view line);

// Recognises lines; keeps the little state that blocks of several lines need (mpirun's "Process
// name" and "Exit code"). One reader per stream.
class ExitLineReader {
 public:
  // Records of one stream; a few bytes ("tasks 0-8191") can ask for thousands.
  static constexpr std::size_t kMaxRecords = 20'000;

  // Statements of `line` (envelope removed), in order; empty for any other line. A line about
  // several ranks or tasks gives one each.
  std::vector<ExitRecord> read(std::string_view line);

 private:
  std::vector<ExitRecord> read_line(std::string_view line);
  std::vector<ExitRecord> read_block(std::string_view line);

  bool in_block_ = false;  // behind "The first process to do so was:" or "BAD TERMINATION"
  ExitRecord pending_;
  std::size_t records_ = 0;  // given so far
};

// read() and rows for what it found. `line_number` from 1.
bool emit_exit_line(ExitLineReader& reader, std::string_view line, std::uint64_t line_number,
                    std::uint64_t byte_offset, Sink& sink);
// One row for one record; `text` is the line it came from.
void emit_exit_record(const ExitRecord& record, std::string_view text, std::uint64_t line_number,
                      std::uint64_t byte_offset, Sink& sink);

// Sets exit_code and signal from a code as launchers report it: negative and 128+N are signals.
void set_exit_code(ExitRecord& record, std::int64_t code);
void set_signal(ExitRecord& record, std::int64_t signal);
// Number of a signal from its shell description ("Killed", "Segmentation fault (core dumped)") or
// name ("SIGKILL", "TERM"); nullopt for anything else.
std::optional<std::int64_t> signal_number(std::string_view text);

}  // namespace tfpm
