// What reading anything may cost, and what it must say (formats.md 0.7): no more than 5 s of
// processor time, no more than 64 MiB beyond what the process had before, and of every damage a
// sentence.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm::test {

// Keeps no rows, so that memory is the reader's own; keeps problems.
class CountingSink final : public Sink {
 public:
  RowRef add(std::string_view table, std::vector<Field> fields) override;
  void problem(Problem problem) override { problems_.push_back(std::move(problem)); }
  void set_lines(std::uint64_t) override {}

  std::uint64_t rows() const { return rows_; }
  const std::vector<Problem>& problems() const { return problems_; }
  // Empty, or what is wrong with a problem: no code, no sentence, far too many.
  std::string bad_problem() const;

 private:
  std::uint64_t rows_ = 0;
  std::map<std::string_view, std::int64_t> counts_;
  std::vector<Problem> problems_;
};

// A file under fixtures/parsers.
struct Fixture {
  std::string parser, member, bytes;
};
std::vector<Fixture> fixtures();

// Memory this process ever had, KiB.
std::int64_t peak_memory_kib();

// Calls `read`; empty, or what it cost too much of. `memory_before`: peak_memory_kib() while idle.
std::string over_limits(std::int64_t memory_before, const std::function<void()>& read);

// Whether everything is tried (TFPM_ALL=1), not a share.
bool try_all();

}  // namespace tfpm::test
