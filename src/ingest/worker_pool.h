// A fixed set of threads that run jobs in the order given.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tfpm {

class WorkerPool {
 public:
  // A job learns which worker runs it: 0 .. workers - 1. Jobs must not throw.
  using Job = std::function<void(unsigned worker)>;

  // The calling thread is worker 0 while it waits in finish(); the others are started here.
  explicit WorkerPool(unsigned workers);
  // Runs what is left.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

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
