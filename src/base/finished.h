// How long jobs tell their caller what they have just done, for people who look for lost time.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace tfpm {

// Called behind each piece of work with its name and, of a query, the instructions that SQLite's
// machine took for it (0 = not a query): unlike seconds the same on every machine. May be empty.
using Finished = std::function<void(std::string_view what, std::int64_t work)>;

inline void tell(const Finished& finished, std::string_view what, std::int64_t work = 0) {
  if (finished) finished(what, work);
}

}  // namespace tfpm
