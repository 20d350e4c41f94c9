#include "cli/interrupt_guard.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace tfpm::cli {
namespace {

// Ends the watching thread; nobody else uses it here.
constexpr int kStopSignal = SIGUSR2;

}  // namespace

InterruptGuard::InterruptGuard() {
  sigemptyset(&watched_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, kStopSignal}) sigaddset(&watched_, signal);
  pthread_sigmask(SIG_BLOCK, &watched_, &previous_);
}

void InterruptGuard::watch(std::string folder) {
  folder_ = std::move(folder);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // No thread to be had: better to end at once and leave the folder than not to end.
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
  }
}

void InterruptGuard::hold() {
  if (!thread_.joinable()) return;
  pthread_kill(thread_.native_handle(), kStopSignal);
  thread_.join();
}

InterruptGuard::~InterruptGuard() {
  hold();
  pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

void InterruptGuard::run() {
  int signal = 0;
  if (sigwait(&watched_, &signal) != 0 || signal == kStopSignal) return;
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
  ::_exit(128 + signal);
}

}  // namespace tfpm::cli
