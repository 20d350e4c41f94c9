#include "report/clock_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/format.h"

namespace tfpm::report {
namespace {

std::string words_of(const std::string& quality, std::int64_t error_us) {
  if (quality == "A") {
    const std::int64_t ms = std::max<std::int64_t>(1, (error_us + 999) / 1000);
    return fmt::format("aligned to within about {} ms", ms);
  }
  if (quality == "B") {
    return "aligned to about 0.1 s; orders closer than that are shown as concurrent";
  }
  if (quality == "C") return "coarsely aligned; only step order is used for cause and effect";
  return "not alignable; wall times shown as written";
}

}  // namespace

std::vector<std::string> clock_sentences(const std::vector<ClockStatement>& clocks) {
  struct Group {
    std::vector<std::string> tasks;
    std::int64_t error_us = 0;
  };
  std::map<std::string, Group> groups;
  for (const ClockStatement& clock : clocks) {
    Group& group = groups[clock.quality];
    group.tasks.push_back(clock.task);
    group.error_us = std::max(group.error_us, clock.error_us.value_or(0));
  }
  std::vector<std::string> out;
  for (const auto& [quality, group] : groups) {
    out.push_back(format_names(group.tasks) + ": " + words_of(quality, group.error_us));
  }
  return out;
}

}  // namespace tfpm::report
