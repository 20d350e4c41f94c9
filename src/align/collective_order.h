// What step markers say of the order between tasks: the O(1) test of algorithms.md section 3.2.
//
// In synchronous training nobody completes a step before everybody has entered it. So for records a
// and b of different tasks, a happened before b if b's task had completed a step which a's task
// entered only after a. Nothing is stored per pair: two step numbers per record decide.
#pragma once

#include <cstdint>
#include <vector>

#include "align/model.h"

namespace tfpm {

// Where a record stands among the collectives of its generation.
struct CollectivePlace {
  OptInt enter_next;  // step of the first collective its task certainly entered after the record,
                      // and is recorded to have done so
  OptInt exits;       // step of the last collective its task had certainly completed before it
};

// True if a certainly happened before b, both of one generation and of different tasks.
bool happened_before(const CollectivePlace& a, const CollectivePlace& b);

class CollectiveOrder {
 public:
  // `model` has its markers assigned to attempts, and lives longer.
  explicit CollectiveOrder(const Model& model);

  // Both absent for a stream without markers, and in generations whose steps are not common to all
  // tasks: asynchronous training, other units than steps, tasks that count from different numbers.
  CollectivePlace place(int stream, std::int64_t seq, OptInt attempt, OptInt generation) const;

 private:
  bool is_common(std::int64_t generation) const;

  const Model& model_;
  std::vector<char> common_;  // by generation
};

}  // namespace tfpm
