// Records that differ only in the values of their digits and in how far a bar is drawn: same
// length, same digits' places.
//
// Most records of a log look exactly like one just before them. Comparing with it costs a few
// instructions per 16 bytes, and the numbers stand at known places; only records that match no
// remembered layout are taken apart (skeleton.h).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ingest/form.h"
#include "ingest/masked_text.h"

namespace tfpm {

// Where the value of a slot stands in every record of the layout.
struct LayoutSlot {
  Token token;         // its value holds for tokens without digits (nan, inf, null)
  bool fixed = false;  // no digits: never read again
  bool plain = false;  // digits with at most a sign and a point
};

struct Layout {
  MaskedText masked;
  std::uint64_t id = 0;      // no other layout of this cache ever had it
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
  // The layout at this index, null unless it still has this id.
  Layout* at(std::uint32_t index, std::uint64_t id) {
    return index < layouts_.size() && layouts_[index].id == id ? &layouts_[index] : nullptr;
  }
  std::uint32_t index_of(const Layout& layout) const {
    return static_cast<std::uint32_t>(&layout - layouts_.data());
  }
  // Remembers the layout of `text`, which has this skeleton and form.
  Layout& add(std::string_view text, const Skeleton& skeleton, const Form& form);
  void clear();

 private:
  static constexpr std::size_t kSets = 256, kWays = 4;
  struct Set {
    std::array<std::int16_t, kWays> ways{-1, -1, -1, -1};
    std::uint8_t next = 0;  // way to replace
  };
  std::vector<Set> sets_;  // made with the first layout
  std::vector<Layout> layouts_;
  std::uint64_t last_id_ = 0;
};

// The value of a slot in another record of its layout.
Token read_slot(std::string_view text, const LayoutSlot& slot);

}  // namespace tfpm
