// One loop on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace tfpm {

// Calls body(i) once for every i below n, on at most `threads` threads of which the caller is one;
// returns when all are done. Calls run in any order and at the same time: what they write must not
// overlap, and they must not throw.
void parallel_for(std::size_t n, unsigned threads, const std::function<void(std::size_t)>& body);

}  // namespace tfpm
