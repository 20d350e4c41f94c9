// What --verbose says: each piece of work and how long it took, on stderr.
#pragma once

#include <chrono>
#include <string_view>

#include "base/finished.h"

namespace tfpm::cli {

class Steps {
 public:
  explicit Steps(bool verbose) : verbose_(verbose) {}
  // Says what was done since the last call or the beginning. `work` as in Finished.
  void done(std::string_view what, std::int64_t work = 0);
  // The same as a callback; it must not outlive this. Empty when nothing is to be said.
  Finished callback();

 private:
  bool verbose_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace tfpm::cli
