#include "cli/steps.h"

#include <fmt/format.h>

#include "cli/terminal.h"

namespace tfpm::cli {

void Steps::done(std::string_view what, std::int64_t work) {
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> took = now - last_;
  last_ = now;
  if (!verbose_) return;
  const std::string cost = work > 0 ? fmt::format(", {} instructions of SQLite", work) : "";
  write_stderr(fmt::format("{:8.3f} s  {}{}\n", took.count(), what, cost));
}

Finished Steps::callback() {
  if (!verbose_) return {};
  return [this](std::string_view what, std::int64_t work) { done(what, work); };
}

}  // namespace tfpm::cli
