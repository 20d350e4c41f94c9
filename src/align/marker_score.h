// Points for and against a family as the step counter (algorithms.md section 1.9, rule 4).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "align/marker_family.h"

namespace tfpm {

// Values that several tasks print under one key: what makes a counter a counter of the job.
class SharedCounts {
 public:
  // Adds a training task's family; a task counts once per key.
  void add(std::int64_t task, const Family& family);
  // Call once after the last add().
  void finish(std::size_t training_tasks);

  // +3 when most values are printed by most tasks that reached them, +2 when only the ranges agree,
  // else 0.
  double points(const std::string& key) const;

  // Records of all tasks under the key where most values are printed by most tasks, else 0: what
  // one short log is too little for, several that agree tell together.
  std::uint64_t agreeing_records(const std::string& key) const;

 private:
  struct Entry {
    std::set<std::int64_t> tasks;
    std::unordered_map<std::int64_t, std::uint32_t> printed;  // by how many tasks
    std::vector<std::pair<double, double>> ranges;
    std::uint64_t records = 0;
    double points = 0;
  };
  std::map<std::string, Entry> entries_;
};

struct StepScore {
  double points = 0;
  bool step_word = false;
  bool seed = false;
  bool decimal = false;  // a varying decimal nobody else claims stands in the record
  bool epoch = false;    // goes up by one when another slot starts again
  bool meaningful() const { return step_word || decimal; }
};

StepScore score_family(const NamedStream& stream, const Family& family, const SharedCounts& shared);

// The same for a counter of another unit, whose word is the evidence.
double score_unit(const NamedStream& stream, const Family& family, const SharedCounts& shared);

inline constexpr double kMinScore = 5;
inline constexpr double kStartupPenalty = 4;  // all records before the first of another candidate

}  // namespace tfpm
