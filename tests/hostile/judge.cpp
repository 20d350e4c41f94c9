#include "hostile/judge.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tfpm::test {
namespace fs = std::filesystem;
namespace {

constexpr double kMaxSeconds = 5;
constexpr std::int64_t kMaxKib = 64 * 1024;
constexpr std::size_t kShortestSentence = 20;
constexpr std::size_t kLongestSentence = 4000;
constexpr std::size_t kMaxProblems = 20'000;

double processor_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

}  // namespace

RowRef CountingSink::add(std::string_view table, std::vector<Field>) {
  ++rows_;
  return {table, counts_[table]++};
}

std::string CountingSink::bad_problem() const {
  if (problems_.size() > kMaxProblems) return "a problem for every few bytes";
  for (const Problem& p : problems_) {
    if (p.code.empty()) return "a problem without a code: " + p.detail;
    if (p.detail.size() < kShortestSentence) return "no sentence: '" + p.detail + "'";
    if (p.detail.size() > kLongestSentence) return "no sentence any more: " + p.detail;
  }
  return {};
}

std::vector<Fixture> fixtures() {
  std::vector<Fixture> out;
  const fs::path root = fs::path(TFPM_SOURCE_DIR) / "fixtures/parsers";
  for (const auto& folder : fs::directory_iterator(root)) {
    std::string parser = folder.path().filename().string();
    std::replace(parser.begin(), parser.end(), '_', '-');
    for (const auto& file : fs::directory_iterator(folder)) {
      if (file.path().extension() != ".in") continue;
      std::ifstream in(file.path(), std::ios::binary);
      out.push_back(
          {parser, file.path().stem().string(), {std::istreambuf_iterator<char>(in), {}}});
    }
  }
  std::sort(out.begin(), out.end(), [](const Fixture& a, const Fixture& b) {
    return a.parser != b.parser ? a.parser < b.parser : a.member < b.member;
  });
  return out;
}

std::int64_t peak_memory_kib() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

std::string over_limits(std::int64_t memory_before, const std::function<void()>& read) {
  const double begin = processor_seconds();
  read();
  const double seconds = processor_seconds() - begin;
  if (seconds > kMaxSeconds) return "took " + std::to_string(seconds) + " s";
  const std::int64_t grown = peak_memory_kib() - memory_before;
  if (grown > kMaxKib) return "memory grew by " + std::to_string(grown / 1024) + " MiB";
  return {};
}

bool try_all() {
  const char* value = std::getenv("TFPM_ALL");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

}  // namespace tfpm::test
