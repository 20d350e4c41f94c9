// The line on stderr that says how far a long job is.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace tfpm::cli {

struct ProgressState {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;              // 0 = unknown
  std::optional<std::uint64_t> members_done;  // absent: not counted
};

// '  45 %  1.2 GiB of 2.6 GiB  87 members  920 MiB/s  2s left'. No newline.
std::string progress_text(const ProgressState& state, std::chrono::duration<double> elapsed);

// Shows the line from one second on, until it is destroyed; then the line is gone.
class ProgressLine {
 public:
  // `state` is called from another thread. Does nothing unless `enabled`.
  ProgressLine(bool enabled, std::function<ProgressState()> state);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void run();

  std::function<ProgressState()> state_;
  std::mutex mutex_;
  std::condition_variable stop_signal_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace tfpm::cli
