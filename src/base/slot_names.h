// Names the numbers of a line by the words around them (algorithms.md section 1.9, rule 3).
#pragma once

#include <string>
#include <vector>

#include "base/log_words.h"

namespace tfpm {

// What is known of a slot's values when it is named.
struct SlotFacts {
  bool integral = false;     // all values are whole numbers
  bool varies = false;       // more than one value was seen
  std::string head;          // column head; empty = none
  bool opens_range = false;  // `100-200`: where the slot behind it ended on the line before
};

struct SlotName {
  std::string key;  // as written; empty = no word belongs to it
  KeyMeaning meaning;
};

// `pieces` are the texts around the slots (facts.size() + 1 of them, see TemplateSeries). A name is
// the nearest word before the slot in its segment, else the next word behind it unless that is the
// next slot's; the other way round when the first reading makes no sense.
std::vector<SlotName> name_slots(const std::vector<std::string>& pieces,
                                 const std::vector<SlotFacts>& facts);

}  // namespace tfpm
