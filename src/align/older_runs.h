// Runs of an earlier launch in a log that was appended to (algorithms.md 1.5 and 12.6, 8).
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "align/model.h"

namespace tfpm {

// Tells starts that a launcher did not record from places that only look like starts.
class OlderRuns {
 public:
  explicit OlderRuns(const Model& m);

  // Of the streams of a worker that a launcher started `launched` times: takes away starts in
  // excess of that, the first ones first, unless something shows that a run ended there.
  void keep_real_starts(Model& m, const WorkerInfo& w, std::size_t launched) const;

 private:
  using Places = std::vector<std::int64_t>;

  bool is_real(const Model& m, const WorkerInfo& w, int stream, std::int64_t start) const;

  std::map<int, Places> ends_;  // by stream, ascending: where a process ended by its own words
  std::map<std::string_view, std::vector<std::int64_t>> pids_;  // launcher's, by task
};

}  // namespace tfpm
