#include "ingest/worker_pool.h"

#include <pthread.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstddef>

namespace tfpm {
namespace {

// While it lives no thread can be started: no stack of that size can be had.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 46U);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t before_;
};

int run_jobs(WorkerPool& pool, int jobs) {
  std::atomic<int> done{0};
  for (int i = 0; i < jobs; ++i) pool.submit([&](unsigned) { ++done; });
  pool.finish({});
  return done;
}

TEST_CASE("a pool runs all jobs") {
  WorkerPool pool(3);
  CHECK(pool.workers() == 3);
  CHECK(run_jobs(pool, 100) == 100);
}

TEST_CASE("a pool does without the threads that the system refuses") {
  const NoMoreThreads limit;
  WorkerPool pool(3);
  CHECK(pool.workers() == 1);
  CHECK(run_jobs(pool, 100) == 100);
}

TEST_CASE("no thread is started where the system refuses") {
  const NoMoreThreads limit;
  CHECK(start_threads(2, [](unsigned) {}).empty());
}

}  // namespace
}  // namespace tfpm
