// One block of a sorted table: entries whose keys share prefixes (formats.md 1.2).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

inline constexpr std::size_t kMaxKeySize = std::size_t{64} << 10;

// The entry area of a block; nothing when its restart array does not fit.
std::optional<std::string_view> entry_area(std::string_view block);

// Walks an entry area. Keys are rebuilt, so key() is valid until the next next().
class BlockEntries {
 public:
  explicit BlockEntries(std::string_view entries) : rest_(entries) {}

  // False at the end and at the first entry that does not parse (then !ok()).
  bool next();
  bool ok() const { return ok_; }
  std::string_view key() const { return key_; }
  std::string_view value() const { return value_; }

 private:
  bool read_entry();

  std::string_view rest_;
  std::string key_;
  std::string_view value_;
  bool ok_ = true;
};

}  // namespace tfpm
