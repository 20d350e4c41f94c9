#include "ingest/line_start.h"

#include <array>
#include <cstddef>

#include "ingest/bytes.h"

namespace tfpm {
namespace {

template <std::size_t N>
bool starts_with_any(std::string_view line, const std::array<std::string_view, N>& starts) {
  for (const std::string_view start : starts) {
    if (line.starts_with(start)) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 16> kAbortTexts = {"Fatal glibc error:",
                                                          "terminate called ",
                                                          "double free or corruption",
                                                          "free(): ",
                                                          "malloc(): ",
                                                          "malloc_consolidate(): ",
                                                          "realloc(): ",
                                                          "munmap_chunk(): ",
                                                          "corrupted size vs. prev_size",
                                                          "corrupted double-linked list",
                                                          "*** stack smashing detected",
                                                          "*** buffer overflow detected",
                                                          "pure virtual method called",
                                                          "libc++abi: ",
                                                          "*** Error in `",
                                                          "*** glibc detected"};

constexpr std::array<std::string_view, 9> kShellEnds = {
    "Segmentation fault",       "Bus error",  "Illegal instruction",
    "Floating point exception", "Killed",     "Aborted",
    "Trace/breakpoint trap",    "Terminated", "Hangup"};

constexpr std::array<std::string_view, 7> kPlatformStarts = {
    "srun: ", "slurmstepd", "mpirun ", "mpiexec", "Primary job ", "prterun ", "salloc: "};

constexpr std::array<std::string_view, 10> kStepWords = {
    "step",  "global_step", "global step", "iter", "epoch",
    "batch", "loss",        "train",       "eval", "update"};

// `Segmentation fault (core dumped)`: the word alone or with the shell's addition.
bool is_shell_end(std::string_view line) {
  for (const std::string_view end : kShellEnds) {
    if (!line.starts_with(end)) continue;
    const std::string_view rest = line.substr(end.size());
    if (rest.empty() || rest.starts_with(" (core dumped)") || rest == "!") return true;
  }
  return false;
}

bool starts_ignoring_case(std::string_view line, std::string_view lower) {
  if (line.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const char c = is_upper(line[i]) ? static_cast<char>(line[i] - 'A' + 'a') : line[i];
    if (c != lower[i]) return false;
  }
  return true;
}

// A word of progress and soon a number: `step 3`, `Epoch [3/10]`, `loss=nan`.
bool is_step_line(std::string_view line) {
  constexpr std::size_t kReach = 16;  // a number must follow within this many bytes
  if (line.starts_with('[')) {
    const std::size_t end = line.substr(0, 40).find(']');
    if (end == std::string_view::npos) return false;
    line.remove_prefix(end + 1);
    line.remove_prefix(count_blanks(line));
  }
  for (const std::string_view word : kStepWords) {
    if (!starts_ignoring_case(line, word)) continue;
    const std::string_view rest = line.substr(word.size(), kReach);
    return has_digit(rest) || rest.starts_with(": nan") || rest.starts_with("=nan");
  }
  return false;
}

// `12/100 [`, ` 12/100 ━`, `      7/Unknown`, `12%|`, with or without colour codes.
bool is_progress_bar(std::string_view line) {
  while (!line.empty() && (is_blank(line[0]) || line[0] == '\x1b' || line[0] == '\b')) {
    const std::size_t ansi = count_ansi(line);
    line.remove_prefix(ansi > 0 ? ansi : 1);
  }
  const std::size_t digits = count_digits(line);
  if (digits == 0 || digits >= line.size()) return false;
  const std::string_view rest = line.substr(digits);
  if (rest.starts_with("%|")) return true;
  if (rest[0] != '/') return rest.starts_with("it [");
  return rest.starts_with("/Unknown") || count_digits(rest.substr(1)) > 0;
}

bool is_gdb_thread(std::string_view line) {
  if (!line.starts_with("Thread ")) return false;
  const std::size_t digits = count_digits(line.substr(7));
  const std::string_view rest = line.substr(7 + digits);
  return digits > 0 && (rest.starts_with(" (Thread 0x") || rest.starts_with(" (active") ||
                        rest.starts_with(" (idle") || rest.starts_with(" (gil"));
}

LineStart classify_indented(std::string_view line) {
  if (line.starts_with("  File \"") && line.find("\", line ") != std::string_view::npos) {
    return LineStart::kFrame;
  }
  if (is_progress_bar(line)) return LineStart::kProgress;
  if (line.starts_with("  + Exception Group Traceback (most recent call last):")) {
    return LineStart::kTraceback;
  }
  return line.find_first_not_of(" \t") == std::string_view::npos ? LineStart::kBlank
                                                                 : LineStart::kIndented;
}

LineStart classify_star(std::string_view line) {
  if (starts_with_any(line, kAbortTexts)) return LineStart::kAbort;
  if (line.starts_with("*** SIG") || line.starts_with("*** Signal ") ||
      line.starts_with("*** Received signal ") || line.starts_with("*** Aborted at ") ||
      line.starts_with("*** BEGIN MANGLED STACK TRACE")) {
    return LineStart::kSignal;
  }
  return LineStart::kPlain;
}

// `bash: line 1:  4242 Killed   python3 x`, `./run.sh: line 3: 4242 Segmentation fault ...`.
bool is_shell_report(std::string_view line) {
  const std::size_t mark = line.substr(0, 80).find(": line ");
  if (mark == std::string_view::npos) return false;
  std::string_view rest = line.substr(mark + 7);
  rest.remove_prefix(count_digits(rest));
  if (!rest.starts_with(": ")) return false;
  rest.remove_prefix(1);
  rest.remove_prefix(count_blanks(rest));
  const std::size_t pid = count_digits(rest);
  if (pid == 0) return false;
  rest.remove_prefix(pid);
  rest.remove_prefix(count_blanks(rest));
  return starts_with_any(rest, kShellEnds);
}

LineStart classify_capital(std::string_view line) {
  if (line.starts_with("Traceback (most recent call last):") ||
      line.starts_with("Exception Group Traceback (most recent call last):")) {
    return LineStart::kTraceback;
  }
  if (line.starts_with("Exception in thread ") || line.starts_with("Exception ignored in") ||
      line.starts_with("Exception ignored on") || line.starts_with("Exception ignored while") ||
      line.starts_with("Exception in callback ")) {
    return LineStart::kTracebackIntro;
  }
  if (line.starts_with("Process ") && line.ends_with(':') &&
      (line.find("Process-", 8) != std::string_view::npos ||
       line.find("PoolWorker-", 8) != std::string_view::npos)) {
    return LineStart::kTracebackIntro;
  }
  if (line.starts_with("During handling of the above exception,") ||
      line.starts_with("The above exception was the direct cause")) {
    return LineStart::kChain;
  }
  if (line.starts_with("Fatal Python error: ")) return LineStart::kFatalPython;
  if (line.starts_with("Timeout (") && line.ends_with(")!")) return LineStart::kWatchdog;
  if (line.starts_with("Thread 0x") || line.starts_with("Current thread 0x")) {
    return LineStart::kThread;
  }
  if (is_gdb_thread(line)) return LineStart::kStack;
  if (line.starts_with("Program received signal ") || line.starts_with("Core was generated by ") ||
      line.starts_with("Program terminated with signal ")) {
    return LineStart::kStack;
  }
  if (is_shell_end(line)) return LineStart::kShellEnd;
  if (starts_with_any(line, kAbortTexts)) return LineStart::kAbort;
  if (starts_with_any(line, kPlatformStarts)) return LineStart::kPlatform;
  return is_step_line(line) ? LineStart::kProgress : LineStart::kPlain;
}

LineStart classify_small(std::string_view line) {
  if (starts_with_any(line, kAbortTexts)) return LineStart::kAbort;
  if (starts_with_any(line, kPlatformStarts)) return LineStart::kPlatform;
  if (is_shell_report(line)) return LineStart::kShellEnd;
  if (line.find(": Assertion `") != std::string_view::npos && line.ends_with("failed.")) {
    return LineStart::kAbort;
  }
  return is_step_line(line) ? LineStart::kProgress : LineStart::kPlain;
}

}  // namespace

LineStart classify_line(std::string_view line) {
  if (line.empty()) return LineStart::kBlank;
  const char c = line[0];
  if (is_blank(c)) return classify_indented(line);
  if (is_digit(c) || c == '\x1b' || c == '\b') {
    return is_progress_bar(line) ? LineStart::kProgress : LineStart::kPlain;
  }
  if (is_upper(c)) return classify_capital(line);
  if (is_alpha(c)) return classify_small(line);
  switch (c) {
    case '*':
      return classify_star(line);
    case '{':
      return line.starts_with("{\"") ? LineStart::kProgress : LineStart::kPlain;
    case '[':
      return is_step_line(line) ? LineStart::kProgress : LineStart::kPlain;
    case '#':
      return line.size() > 3 && is_digit(line[1]) && line.find("  0x") != std::string_view::npos
                 ? LineStart::kStack
                 : LineStart::kPlain;
    default:
      return is_shell_report(line) ? LineStart::kShellEnd : LineStart::kPlain;
  }
}

}  // namespace tfpm
