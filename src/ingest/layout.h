// Records that differ only in the values of their digits and in how far a bar is drawn: same
// length, same digits' places.
//
// Most records of a log look exactly like one just before them. Comparing with it costs a few
// instructions per 16 bytes, and the numbers stand at known places; only records that match no
// remembered layout are taken apart (skeleton.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/form.h"

namespace tfpm {

// Where the value of a slot stands in every record of the layout.
struct LayoutSlot {
  Token token;         // its value holds for tokens without digits (nan, inf, null)
  bool fixed = false;  // no digits: never read again
  bool plain = false;  // digits with at most a sign and a point
};

struct Layout {
  std::string masked;        // the text with every digit as '0', padded to whole blocks of 16
  std::uint32_t length = 0;  // of the text
  // Inside of a bar that is drawn with ASCII only, empty = none: any bar byte will do there.
  std::uint32_t bar_begin = 0, bar_end = 0;
  std::int32_t series = -1;  // index of the template; -1 = nothing to learn here
  bool may_be_heads = false;
  std::vector<LayoutSlot> slots;
  std::vector<LayoutSlot> stamps;  // at most one
};

// A small cache of layouts; forgets what was not seen lately.
class LayoutCache {
 public:
  // The layout of this text, null when it is not remembered. Valid until the next add() or clear().
  Layout* find(std::string_view text);
  // Remembers the layout of `text`, which has this skeleton and form.
  Layout& add(std::string_view text, const Skeleton& skeleton, const Form& form);
  void clear();

 private:
  static constexpr std::size_t kSets = 64, kWays = 4;
  struct Set {
    std::array<std::int16_t, kWays> ways{-1, -1, -1, -1};
    std::uint8_t next = 0;  // way to replace
  };
  std::vector<Set> sets_;  // made with the first layout
  std::vector<Layout> layouts_;
};

// The value of a slot in another record of its layout.
Token read_slot(std::string_view text, const LayoutSlot& slot);

}  // namespace tfpm
