// What a line without header begins or continues, by its first bytes: how lines are joined to
// records (log-formats.md sections 2.4 and 7). Internal to src/ingest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tfpm {

enum class LineStart : std::uint8_t {
  kBlank,
  kIndented,
  kPlain,           // anything else
  kProgress,        // progress bar, `Epoch 3/10`, step line, JSON: always a record of its own
  kPlatform,        // srun, slurmstepd, mpirun, shell: another program speaks
  kTraceback,       // Traceback (most recent call last):
  kTracebackIntro,  // Exception in thread X:, Exception ignored in: X, Process Process-3:
  kFrame,           //   File "x.py", line 3
  kChain,           // During handling of ..., The above exception was the direct cause ...
  kFatalPython,     // Fatal Python error: X
  kWatchdog,        // Timeout (0:05:00)!
  kThread,          // Thread 0x... (most recent call first):, Current thread ...
  kAbort,           // glibc, libstdc++ and assert texts
  kSignal,          // *** SIGABRT received at time=...
  kStack,           // gdb or py-spy thread and frame lines
  kShellEnd,        // Segmentation fault (core dumped), Killed
};

LineStart classify_line(std::string_view line);

// Lines that TensorFlow's own multi-line texts are known to go on with.
bool continues_tf_text(std::string_view line);
// A line of a text proto at the outermost level: `name {`, `name: value`, `}`.
bool is_text_proto(std::string_view line);
// A line whose sentence goes on: ends with a colon, comma or opening bracket.
bool ends_open(std::string_view line);
// Opening minus closing brackets of all kinds.
int bracket_balance(std::string_view line);
// Length of a dotted name that is the whole line or stands before `: `; 0 = the line has no such.
std::size_t exception_path_length(std::string_view line);
// A line like `module.SomeError: text` or `SomeError`: how tracebacks end.
bool is_exception_line(std::string_view line);
// A status text that ends with a Python exception: an embedded traceback follows it.
bool ends_with_python_exception(std::string_view line);
bool has_digit(std::string_view line);

}  // namespace tfpm
