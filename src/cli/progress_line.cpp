#include "cli/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/terminal.h"

namespace tfpm::cli {
namespace {

using Seconds = std::chrono::duration<double>;

std::string bytes_text(double bytes) {
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, kUnits[unit]);
}

std::string time_text(double seconds) {
  const auto whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{}s", whole);
  if (whole < 3600) return fmt::format("{}m{:02}s", whole / 60, whole % 60);
  return fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60);
}

}  // namespace

std::string progress_text(const ProgressState& state, Seconds elapsed) {
  const auto done = static_cast<double>(state.bytes_done);
  const auto total = static_cast<double>(state.bytes_total);
  const double rate = elapsed.count() > 0 ? done / elapsed.count() : 0;
  std::string out;
  if (total > 0) out += fmt::format("{:4.0f} %  ", 100 * std::min(1.0, done / total));
  out += bytes_text(done);
  if (total > 0) out += " of " + bytes_text(total);
  if (state.members_done.has_value()) out += fmt::format("  {} members", *state.members_done);
  out += "  " + bytes_text(rate) + "/s";
  if (total > done && rate > 0) out += "  " + time_text((total - done) / rate) + " left";
  return out;
}

ProgressLine::ProgressLine(bool enabled, std::function<ProgressState()> state)
    : state_(std::move(state)) {
  if (enabled) thread_ = std::thread([this] { run(); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stop_signal_.notify_one();
  thread_.join();
}

void ProgressLine::run() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  auto wait = std::chrono::milliseconds(1000);
  bool shown = false;
  std::unique_lock lock(mutex_);
  while (!stop_signal_.wait_for(lock, wait, [this] { return stop_; })) {
    write_stderr("\r\033[K" + progress_text(state_(), Clock::now() - start));
    shown = true;
    wait = std::chrono::milliseconds(200);
  }
  if (shown) write_stderr("\r\033[K");
}

}  // namespace tfpm::cli
