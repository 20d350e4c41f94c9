// Tells lines that a stream writes over and over (step lines, progress bars) from the rest, so that
// a stream's last words are not buried under them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tfpm {

class ShapeFilter {
 public:
  // So much of a message decides.
  static constexpr std::size_t kShapeBytes = 24;

  // Counts the shape of a message (its beginning with digits masked) and tells whether it was seen
  // often before. A fixed table: a rare shape may push out another's count, nothing more.
  bool frequent(std::string_view message) { return frequent(key_of(message)); }
  // The same for a message of this key.
  bool frequent(std::uint64_t key);
  static std::uint64_t key_of(std::string_view message);

 private:
  struct Entry {
    std::uint32_t tag = 0;
    std::uint32_t count = 0;
  };
  std::array<Entry, 1024> entries_{};
};

}  // namespace tfpm
