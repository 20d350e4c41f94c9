// TensorFlow's DataType enum: names, stored sizes, and how a non-finite value looks (formats.md
// 0.5).
#pragma once

#include <cstdint>
#include <string>

namespace tfpm {

using DataType = std::int32_t;
inline constexpr DataType kDtFloat = 1;
inline constexpr DataType kDtDouble = 2;
inline constexpr DataType kDtInt32 = 3;
inline constexpr DataType kDtString = 7;
inline constexpr DataType kDtInt64 = 9;
inline constexpr DataType kDtVariant = 21;

// 'float32', 'string', ...; 'dtype-N' for a number this version does not know.
std::string dtype_name(DataType dtype);

// Bytes of one stored element; 0 = variable length (string, variant), not storable, or unknown.
std::uint32_t dtype_size(DataType dtype);

// How NaN and Inf show in a floating type: every bit of `exponent` set in a lane of `lane_bytes`.
// Complex types are lanes of their parts. lane_bytes 0 = not a type whose values can be tested.
struct FloatLayout {
  std::uint32_t lane_bytes = 0;
  std::uint64_t exponent = 0;
};
FloatLayout float_layout(DataType dtype);

}  // namespace tfpm
