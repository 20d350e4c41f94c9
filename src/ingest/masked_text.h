// A text of which neither the values of its digits matter nor how far a bar in it is drawn.
//
// Most lines of a log look exactly like one just before them: comparing with it costs a few
// instructions per 16 bytes, and what was found out about the one holds for the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ingest/slots.h"

namespace tfpm {

class MaskedText {
 public:
  // `bar`: find_bar(text). Only bars drawn with `=`, `>`, `<`, `.` and `-` may look different.
  void assign(std::string_view text, const BarRange& bar);
  // Same length, digits at the same places, the same bytes elsewhere.
  bool matches(std::string_view text) const;

 private:
  bool drawn(std::string_view text) const;

  // For every byte the least one that may stand there, padded to whole blocks; behind them, padded
  // alike, how much greater it may be: 9 for digits.
  std::string bytes_;
  std::size_t length_ = 0;
  std::size_t bar_begin_ = 0, bar_end_ = 0;  // inside of the bar; any of its bytes will do there
};

// Equal for texts that match each other.
std::uint64_t masked_hash(std::string_view text);

}  // namespace tfpm
