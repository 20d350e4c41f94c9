// Damage of every kind, the same for the same seed on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tfpm::test {

// A sequence of numbers that depends on nothing but its seed (SplitMix64).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // 0 .. n - 1; 0 for n = 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }

 private:
  std::uint64_t state_;
};

// `bytes` with one to six kinds of damage: flipped bits, lengths at their extremes in every width
// and byte order, numbers that fit no type, parts cut out, doubled, swapped or taken from `other`.
std::string mutate(std::string bytes, std::string_view other, Dice& dice);

// The same damage inside the records of a TFRecord file, with checksums made right again: else
// readers would see nothing but wrong checksums.
std::string mutate_records(std::string_view file, std::string_view other, Dice& dice);

}  // namespace tfpm::test
