// A fixed set of threads that run jobs in the order given.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tfpm {

// Starts up to `count` threads that run `body(0)`, `body(1)`, ...: as many as the system grants.
std::vector<std::thread> start_threads(unsigned count, const std::function<void(unsigned)>& body);

class WorkerPool {
 public:
  // A job learns which worker runs it: 0 .. workers - 1. Jobs must not throw.
  using Job = std::function<void(unsigned worker)>;

  // The calling thread is worker 0 while it waits in finish(); the others are started here: fewer
  // where the system grants no more threads.
  explicit WorkerPool(unsigned workers);
  // Runs what is left.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // The calling thread included; at least 1.
  unsigned workers() const { return static_cast<unsigned>(threads_.size()) + 1; }
  void submit(Job job);
  // Runs jobs on the calling thread too until all are done. `tick` is called now and then.
  void finish(const std::function<void()>& tick);

 private:
  void run(unsigned worker);
  bool run_one(std::unique_lock<std::mutex>& lock, unsigned worker);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  unsigned running_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tfpm
