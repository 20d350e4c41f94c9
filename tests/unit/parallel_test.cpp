#include "base/parallel.h"

#include <catch2/catch.hpp>
#include <vector>

namespace tfpm {

TEST_CASE("a parallel loop runs every index once, whatever the threads") {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
      std::vector<int> runs(n, 0);
      parallel_for(n, threads, [&](std::size_t i) { ++runs[i]; });
      CAPTURE(threads, n);
      CHECK(runs == std::vector<int>(n, 1));
    }
  }
}

}  // namespace tfpm
