// Which families of which streams are the job's step markers (algorithms.md section 1.9, rules 4, 5
// and 7). The choice needs all tasks at once; it keeps keys and scores, never points.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "align/marker_declared.h"
#include "align/marker_family.h"
#include "align/markers.h"
#include "base/status.h"

namespace tfpm {

// A family of one stream, without its points: family_of_members() makes it again.
struct FamilyPick {
  std::size_t stream = 0;  // index into the streams given
  std::string key;
  std::vector<FamilyMember> members;
  double score = 0;
  std::uint64_t records = 0;
  bool chosen = false;
  bool wraps = false;        // starts again and again from the bottom
  bool named_steps = false;  // its own word says that it counts steps
};

struct MarkerChoice {
  CountedUnit unit = CountedUnit::kStep;
  std::vector<FamilyPick> picks;  // chosen ones and the best rejected ones, in order of stream
};

// A stream with what is known of it.
struct JudgedStream {
  explicit JudgedStream(const StreamSeries& series) : named(series) {}
  NamedStream named;
  std::int64_t task = 0;  // worker id, or a number of its own for a stream nobody owns
  bool training = true;
};

// The streams whose lines the user declared as markers; no picks when there are none.
MarkerChoice choose_declared(const std::vector<JudgedStream>& streams,
                             const DeclaredMarkers& declared);

// The same for any number of threads.
MarkerChoice choose_families(const std::vector<JudgedStream>& streams, unsigned threads);

}  // namespace tfpm
