#include "ingest/worker_pool.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace tfpm {

std::vector<std::thread> start_threads(unsigned count, const std::function<void(unsigned)>& body) {
  std::vector<std::thread> started;
  started.reserve(count);
  try {
    for (unsigned i = 0; i < count; ++i) started.emplace_back(body, i);
  } catch (const std::system_error&) {
    // A limit of processes or of memory was reached: those that run do the work.
  }
  return started;
}

WorkerPool::WorkerPool(unsigned workers)
    : threads_(start_threads(std::max(workers, 1U) - 1, [this](unsigned i) { run(i + 1); })) {}

WorkerPool::~WorkerPool() {
  finish({});
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::submit(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

// Runs the next job outside the lock; false when there is none.
bool WorkerPool::run_one(std::unique_lock<std::mutex>& lock, unsigned worker) {
  if (jobs_.empty()) return false;
  const Job job = std::move(jobs_.front());
  jobs_.pop_front();
  ++running_;
  lock.unlock();
  job(worker);
  lock.lock();
  --running_;
  if (running_ == 0 && jobs_.empty()) changed_.notify_all();
  return true;
}

void WorkerPool::run(unsigned worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    if (run_one(lock, worker)) continue;
    if (stopping_) return;
    changed_.wait(lock);
  }
}

void WorkerPool::finish(const std::function<void()>& tick) {
  std::unique_lock lock(mutex_);
  while (running_ > 0 || !jobs_.empty()) {
    if (!run_one(lock, 0)) changed_.wait_for(lock, std::chrono::milliseconds(100));
    if (!tick) continue;
    lock.unlock();
    tick();
    lock.lock();
  }
}

}  // namespace tfpm
