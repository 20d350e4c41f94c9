#include "parsers/detail/dtype.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace tfpm {
namespace {

struct TypeFacts {
  std::string_view name;
  std::uint32_t size = 0;
  FloatLayout layout = {};
};

constexpr FloatLayout kNoFloat{};
constexpr FloatLayout kF64{8, 0x7ff0'0000'0000'0000};
constexpr FloatLayout kF32{4, 0x7f80'0000};
constexpr FloatLayout kF16{2, 0x7c00};
constexpr FloatLayout kBf16{2, 0x7f80};
constexpr FloatLayout kF8E5M2{1, 0x7c};
// No infinity and one NaN pattern a sign: exponent and mantissa all set.
constexpr FloatLayout kF8E4M3Fn{1, 0x7f};

// Indexed by the enum's value. Types below one byte are stored one element a byte.
constexpr std::array<TypeFacts, 34> kTypes = {{
    {"invalid", 0, kNoFloat},
    {"float32", 4, kF32},
    {"float64", 8, kF64},
    {"int32", 4, kNoFloat},
    {"uint8", 1, kNoFloat},
    {"int16", 2, kNoFloat},
    {"int8", 1, kNoFloat},
    {"string", 0, kNoFloat},
    {"complex64", 8, kF32},
    {"int64", 8, kNoFloat},
    {"bool", 1, kNoFloat},
    {"qint8", 1, kNoFloat},
    {"quint8", 1, kNoFloat},
    {"qint32", 4, kNoFloat},
    {"bfloat16", 2, kBf16},
    {"qint16", 2, kNoFloat},
    {"quint16", 2, kNoFloat},
    {"uint16", 2, kNoFloat},
    {"complex128", 16, kF64},
    {"float16", 2, kF16},
    {"resource", 0, kNoFloat},
    {"variant", 0, kNoFloat},
    {"uint32", 4, kNoFloat},
    {"uint64", 8, kNoFloat},
    {"float8_e5m2", 1, kF8E5M2},
    {"float8_e4m3fn", 1, kF8E4M3Fn},
    {"float8_e4m3fnuz", 1, kNoFloat},
    {"float8_e4m3b11fnuz", 1, kNoFloat},
    {"float8_e5m2fnuz", 1, kNoFloat},
    {"int4", 1, kNoFloat},
    {"uint4", 1, kNoFloat},
    {"int2", 1, kNoFloat},
    {"uint2", 1, kNoFloat},
    {"float4_e2m1fn", 1, kNoFloat},
}};

const TypeFacts* facts(DataType dtype) {
  constexpr DataType kRefBase = 100;  // reference types are stored as their base type
  if (dtype > kRefBase) dtype -= kRefBase;
  if (dtype < 0 || static_cast<std::size_t>(dtype) >= kTypes.size()) return nullptr;
  return &kTypes[static_cast<std::size_t>(dtype)];
}

}  // namespace

std::string dtype_name(DataType dtype) {
  const TypeFacts* known = facts(dtype);
  return known != nullptr ? std::string(known->name) : fmt::format("dtype-{}", dtype);
}

std::uint32_t dtype_size(DataType dtype) {
  const TypeFacts* known = facts(dtype);
  return known != nullptr ? known->size : 0;
}

FloatLayout float_layout(DataType dtype) {
  const TypeFacts* known = facts(dtype);
  return known != nullptr ? known->layout : FloatLayout{};
}

}  // namespace tfpm
