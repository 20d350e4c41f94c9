#include "ingest/worker_pool.h"

#include <chrono>
#include <utility>

namespace tfpm {

WorkerPool::WorkerPool(unsigned workers) {
  for (unsigned w = 1; w < workers; ++w) threads_.emplace_back([this, w] { run(w); });
}

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
