// What a Python traceback says (log-formats.md section 7.1). Pure functions on a record's text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/status_text.h"

namespace tfpm {

struct StackFrame {
  std::string file;
  std::int64_t line = 0;
  std::string function;
};

// Who printed the traceback.
enum class TracebackOrigin : std::uint8_t {
  kMain,          // the interpreter on its way out, or the program itself
  kThread,        // Exception in thread X: the process goes on
  kIgnored,       // Exception ignored in X
  kChildProcess,  // Process SpawnPoolWorker-2:
};

struct TracebackInfo {
  std::string exception_path;  // final exception, dotted as printed; empty = cut before it
  std::string exception;       // its last part, e.g. 'UnavailableError'
  std::string message;         // first line of its message
  std::string full_message;    // all lines, cut at 8000 bytes
  // Innermost frame of the program: not of the standard library, site-packages, TensorFlow or
  // Keras. Of the final exception, else of an earlier one of the chain. Absent = all were filtered.
  std::optional<StackFrame> frame;
  std::optional<StackFrame> innermost;  // innermost frame of the final exception, whoever's it is
  // Where the chain began: first block, first leaf of an exception group, or the Python op's
  // exception inside TensorFlow's message. Empty = nothing before the final one.
  std::string original_path;
  std::string original_message;  // first line
  TracebackOrigin origin = TracebackOrigin::kMain;
  // Ended the process: printed from the outermost module of the main thread, or the outermost
  // frames are lost.
  bool fatal = false;
  bool has_status = false;  // the final exception is a TensorFlow status
  StatusInfo status;        // valid when has_status
};

TracebackInfo parse_traceback(std::string_view record);

// `  File "x.py", line 3, in f` and faulthandler's `  File "x.py", line 3 in f`; absent for other
// lines. The function is empty where none is printed (syntax errors).
std::optional<StackFrame> parse_frame_line(std::string_view line);
// Not of Python's, TensorFlow's or a package's own code.
bool is_program_file(std::string_view file);

}  // namespace tfpm
