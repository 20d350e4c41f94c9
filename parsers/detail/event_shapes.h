// Recognises an event as one more value of a series already met.
//
// Nearly all records of a training's event file are the same bytes again, but for the stamp, the
// step and four bytes of value: what such a record says is known without parsing it, and a compare
// is several times as fast. Whatever is not exactly that is left to the parser.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "parsers/detail/crc32c.h"
#include "parsers/detail/event_series.h"

namespace tfpm {

class EventShapes {
 public:
  struct Match {
    EventSeries* series = nullptr;  // null = not recognised, the rest means nothing
    double wall = 0;                // seconds since the epoch, as stored
    std::int64_t step = 0;
    double value = 0;
  };

  EventShapes() : shapes_(kShapes) {}

  Match match(std::string_view record) const {
    Match out;
    std::size_t begin = 0;
    if (!read_head(record, begin, out)) return out;
    const std::string_view tail = record.substr(begin);
    if (!fits(tail)) return out;
    const Shape& shape = shapes_[slot_of(tail)];
    if (shape.series == nullptr || shape.size != tail.size() || !same(shape, tail)) return out;
    std::uint32_t bits = 0;
    std::memcpy(&bits, tail.data() + shape.value_at, sizeof bits);
    out.value = static_cast<double>(std::bit_cast<float>(bits));
    out.series = shape.series;
    return out;
  }

  // Remembers `record`, which was parsed to one value of `series`, stored as the float at `value`
  // inside of it. `series` must outlive this. Records of another form are not remembered.
  void learn(std::string_view record, std::string_view value, EventSeries& series);

 private:
  static constexpr std::size_t kShapes = 256;
  static constexpr std::size_t kLeast = 16, kMost = 127;  // bytes of a tail
  static constexpr std::size_t kWords = 16;

  // An event from its summary on. Words overlap at the end.
  struct Shape {
    EventSeries* series = nullptr;
    std::size_t size = 0, value_at = 0;
    std::array<std::uint64_t, kWords> words{}, masks{};
  };

  // Stamp and step; false when the record does not begin with both.
  static bool read_head(std::string_view record, std::size_t& begin, Match& out) {
    constexpr std::size_t kStamp = 1 + sizeof(double);
    constexpr std::size_t kLongestStep = 10;
    if (record.size() < kStamp + 1 + kLongestStep) return false;
    if (record[0] != 0x09 || record[kStamp] != 0x10) return false;
    std::memcpy(&out.wall, record.data() + 1, sizeof out.wall);
    std::uint64_t step = 0;
    for (std::size_t i = 0; i + 1 < kLongestStep; ++i) {
      const auto byte = static_cast<unsigned char>(record[kStamp + 1 + i]);
      step |= static_cast<std::uint64_t>(byte & 0x7fU) << (7 * i);
      if (byte >= 0x80) continue;
      out.step = static_cast<std::int64_t>(step);
      begin = kStamp + 2 + i;
      return true;
    }
    return false;
  }

  // A summary of one value that begins with its tag, and nothing behind it.
  static bool fits(std::string_view tail) {
    if (tail.size() < kLeast || tail.size() > kMost) return false;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(tail[i]); };
    return byte(0) == 0x2a && byte(1) == tail.size() - 2 && byte(2) == 0x0a &&
           byte(3) == tail.size() - 4 && byte(4) == 0x0a && byte(5) < tail.size() - 6;
  }

  static std::size_t slot_of(std::string_view tail) {
    return crc32c(tail.substr(6, static_cast<unsigned char>(tail[5]))) % kShapes;
  }

  // Where the word of number `i` of a tail begins.
  static std::size_t word_at(std::size_t i, std::size_t size) {
    const std::size_t at = i * sizeof(std::uint64_t);
    return at + sizeof(std::uint64_t) <= size ? at : size - sizeof(std::uint64_t);
  }

  static bool same(const Shape& shape, std::string_view tail) {
    std::uint64_t differs = 0;
    for (std::size_t i = 0; i * sizeof(std::uint64_t) < tail.size(); ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, tail.data() + word_at(i, tail.size()), sizeof word);
      differs |= (word ^ shape.words[i]) & shape.masks[i];
    }
    return differs == 0;
  }

  std::vector<Shape> shapes_;  // by hash of the tag
};

}  // namespace tfpm
