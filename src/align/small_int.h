// An optional integer in the room of an integer: a job has millions of markers, and each several.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace tfpm {

class SmallInt {
 public:
  constexpr SmallInt() = default;
  constexpr SmallInt(std::int64_t value) : value_(value) {}
  constexpr SmallInt(const std::optional<std::int64_t>& value) : value_(value.value_or(kNone)) {}
  constexpr SmallInt(std::nullopt_t) {}

  constexpr bool has_value() const { return value_ != kNone; }
  constexpr explicit operator bool() const { return has_value(); }
  constexpr std::int64_t operator*() const { return value_; }
  constexpr std::int64_t value_or(std::int64_t other) const { return has_value() ? value_ : other; }
  constexpr operator std::optional<std::int64_t>() const {
    return has_value() ? std::optional<std::int64_t>(value_) : std::nullopt;
  }

  friend constexpr bool operator==(const SmallInt& a, const SmallInt& b) = default;
  friend constexpr bool operator==(const SmallInt& a, const std::optional<std::int64_t>& b) {
    return a == SmallInt(b);
  }

 private:
  // The one value that it cannot hold; no stamp, step or offset is that small.
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
  std::int64_t value_ = kNone;
};

}  // namespace tfpm
