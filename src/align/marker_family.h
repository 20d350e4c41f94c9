// Counting slots of one stream: slots of several templates that count the same thing, merged
// (algorithms.md section 1.9, rule 5), and how their values move (rule 4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/series.h"
#include "base/slot_names.h"

namespace tfpm {

// A stream with every slot named. Refers to the series; must not outlive it.
struct NamedStream {
  const StreamSeries* series = nullptr;
  std::vector<std::vector<SlotName>> names;  // per template, per slot

  explicit NamedStream(const StreamSeries& stream);
  // How many processes had started before this byte.
  std::size_t attempt_of(std::uint64_t seq) const;
};

// A template that takes part in a family: which slot counts.
struct FamilyMember {
  std::size_t series = 0;  // index into StreamSeries::templates
  std::size_t slot = 0;
  std::optional<std::size_t> loss;  // where the user says it stands
};

struct FamilyPoint {
  std::uint64_t seq = 0, line = 0;
  std::int64_t time_us = kNoTime;
  double count = 0;
  std::uint32_t member = 0;  // index into members
  std::uint32_t row = 0;     // point of that member's series
  std::uint32_t attempt = 0;
};

// How the values of a family move inside attempts.
struct Motion {
  std::size_t moves = 0, forward = 0, equal = 0;
  std::size_t backs = 0;   // all backward moves
  std::size_t resets = 0;  // of these: from the top to the bottom
  double top = 0, bottom = 0;
  double increment = 0;             // the most frequent forward move, 0 = none
  double increment_share = 0;       // its share of the forward moves
  bool monotone = false;            // goes back hardly ever
  bool wraps = false;               // starts again and again from the bottom
  std::size_t longest_attempt = 0;  // most records in one attempt
  bool counts() const { return monotone || wraps; }
  bool strictly() const { return equal == 0 && backs == resets; }
};

struct Family {
  std::string key;  // equal for slots of other streams that count the same thing
  std::vector<FamilyMember> members;
  std::vector<FamilyPoint> points;  // in order of seq
  Motion motion;
  std::optional<double> total;  // constant N directly behind the slot (`/40`, `of 40`)
  std::uint64_t records = 0;    // lines, thinned or not
  bool auxiliary = false;       // a word of an auxiliary loop stands before the slot
  bool declared = false;        // by the user: not learned
  std::string declared_edge;    // 'begin', 'end', 'unknown'; empty = not said
};

// What a family counts.
enum class CountedUnit { kStep, kSamples, kTokens, kPercent, kEpoch };
const char* to_string(CountedUnit unit);

// These slots as one family, whatever their names.
Family family_of_members(const NamedStream& stream, std::string key,
                         std::vector<FamilyMember> members);

// Families of slots that may count in `unit`: for kStep all integer slots whatever their name, for
// the others those whose name or sign says so. In order of their first record.
std::vector<Family> find_families(const NamedStream& stream, CountedUnit unit);

// Constant number directly behind slot `slot`: `/40`, ` of 40`; nullopt when none.
std::optional<double> total_behind(const TemplateSeries& series, std::size_t slot);

}  // namespace tfpm
