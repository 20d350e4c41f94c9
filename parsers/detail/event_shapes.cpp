#include "parsers/detail/event_shapes.h"

#include <algorithm>

namespace tfpm {

void EventShapes::learn(std::string_view record, std::string_view value, EventSeries& series) {
  Match unused;
  std::size_t begin = 0;
  if (!read_head(record, begin, unused) || !fits(record.substr(begin))) return;
  const std::string_view tail = record.substr(begin);
  Shape shape;
  shape.series = &series;
  shape.size = tail.size();
  shape.value_at = static_cast<std::size_t>(value.data() - tail.data());
  std::array<char, kMost> mask{};
  mask.fill('\xff');
  std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(shape.value_at), sizeof(float), '\0');
  for (std::size_t i = 0; i * sizeof(std::uint64_t) < tail.size(); ++i) {
    const std::size_t at = word_at(i, tail.size());
    std::memcpy(&shape.words[i], tail.data() + at, sizeof(std::uint64_t));
    std::memcpy(&shape.masks[i], mask.data() + at, sizeof(std::uint64_t));
  }
  shapes_[slot_of(tail)] = shape;
}

}  // namespace tfpm
