// Cleans up when the user stops a run.
#pragma once

#include <pthread.h>

#include <csignal>
#include <string>
#include <thread>

namespace tfpm::cli {

// While it lives, SIGINT, SIGTERM and SIGHUP wait for watch(), and from then on remove its folder
// and end the process with 128 + signal. A thread waits for them, so nothing runs inside a signal
// handler. Create it before other threads (they inherit the blocked signals) and before the folder
// (a signal between the two would leave it behind).
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  // To be called once.
  void watch(std::string folder);
  // From here on signals wait for the end of the guard's life: what follows must not be cut in two.
  void hold();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  void run();

  std::string folder_;
  sigset_t watched_{};
  sigset_t previous_{};
  std::thread thread_;
};

}  // namespace tfpm::cli
