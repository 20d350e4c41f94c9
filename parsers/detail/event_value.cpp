#include "parsers/detail/event_value.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

constexpr std::uint64_t kFloat = 1, kDouble = 2, kString = 7, kBfloat16 = 14;

double float_at(std::string_view bytes) {
  return static_cast<double>(std::bit_cast<float>(load_u32le(bytes)));
}

double double_at(std::string_view bytes) {
  return std::bit_cast<double>(load_u64le(bytes));
}

// What of a TensorProto is needed here.
struct TensorParts {
  std::uint64_t dtype = 0;
  std::uint64_t elements = 1;
  std::string_view content;
  std::string_view first_string;
  std::optional<double> listed;  // the first of float_val or double_val
};

// Number of elements of a TensorShapeProto; a size that was never there counts as 0.
std::uint64_t elements_of(std::string_view shape) {
  std::uint64_t elements = 1;
  WireReader r(shape);
  while (r.next()) {
    if (!r.is(2, WireType::kBytes)) continue;
    std::uint64_t size = 0;
    WireReader dim(r.bytes());
    while (dim.next()) {
      if (dim.is(1, WireType::kVarint)) size = dim.value();
    }
    constexpr std::uint64_t kMany = std::uint64_t{1} << 31;
    elements = size > kMany || elements > kMany ? kMany : elements * size;
  }
  return elements;
}

TensorParts parts_of(std::string_view message) {
  TensorParts out;
  WireReader r(message);
  while (r.next()) {
    if (r.is(1, WireType::kVarint)) out.dtype = r.value();
    if (r.is(2, WireType::kBytes)) out.elements = elements_of(r.bytes());
    if (r.is(4, WireType::kBytes)) out.content = r.bytes();
    if (r.is(8, WireType::kBytes) && out.first_string.empty()) out.first_string = r.bytes();
    if (out.listed) continue;
    if (r.is(5, WireType::kFixed32)) {
      out.listed = std::bit_cast<float>(static_cast<std::uint32_t>(r.value()));
    } else if (r.is(5, WireType::kBytes) && r.bytes().size() >= 4) {
      out.listed = float_at(r.bytes());
    } else if (r.is(6, WireType::kFixed64)) {
      out.listed = std::bit_cast<double>(r.value());
    } else if (r.is(6, WireType::kBytes) && r.bytes().size() >= 8) {
      out.listed = double_at(r.bytes());
    }
  }
  return out;
}

// Upper half of a float: what bfloat16 is.
double bfloat16_at(std::string_view bytes) {
  const auto low = static_cast<unsigned char>(bytes[0]);
  const auto high = static_cast<unsigned char>(bytes[1]);
  return std::bit_cast<float>(static_cast<std::uint32_t>(high) << 24 |
                              static_cast<std::uint32_t>(low) << 16);
}

std::optional<double> scalar_of(const TensorParts& t) {
  if (t.elements != 1) return {};
  if (t.dtype == kFloat && t.content.size() == 4) return float_at(t.content);
  if (t.dtype == kDouble && t.content.size() == 8) return double_at(t.content);
  if (t.dtype == kBfloat16 && t.content.size() == 2) return bfloat16_at(t.content);
  const bool listable = t.dtype == kFloat || t.dtype == kDouble;
  return listable && t.content.empty() ? t.listed : std::nullopt;
}

// Edges and counts. Buckets of no data are all zero, and so is the histogram then.
std::optional<HistogramFacts> buckets_of(const TensorParts& t) {
  constexpr std::size_t kBucket = 3 * sizeof(double);
  if (t.dtype != kDouble || t.elements % 3 != 0 || t.content.size() != t.elements * 8) return {};
  HistogramFacts out;
  bool any = false;
  for (std::size_t i = 0; i + kBucket <= t.content.size(); i += kBucket) {
    const double left = double_at(t.content.substr(i));
    const double right = double_at(t.content.substr(i + 8));
    const double count = double_at(t.content.substr(i + 16));
    const bool finite = std::isfinite(left) && std::isfinite(right) && std::isfinite(count);
    out.finite = out.finite && finite;
    if (!finite || count <= 0) continue;
    out.min = any ? std::min(out.min, left) : left;
    out.max = any ? std::max(out.max, right) : right;
    out.count += count;
    any = true;
  }
  return out;
}

HistogramFacts histogram_of(std::string_view message) {
  HistogramFacts out;
  WireReader r(message);
  while (r.next()) {
    if (r.type() != WireType::kFixed64) continue;
    const double value = std::bit_cast<double>(r.value());
    if (!std::isfinite(value)) out.finite = false;
    if (r.field() == 1) out.min = value;
    if (r.field() == 2) out.max = value;
    if (r.field() == 3) out.count = value;
    if (r.field() == 4) out.sum = value;
  }
  return out;
}

void read_tensor(std::string_view message, EventValue& out) {
  const TensorParts tensor = parts_of(message);
  if (tensor.dtype == kString) {
    out.text = tensor.first_string;
  } else if (const auto scalar = scalar_of(tensor)) {
    out.scalar = scalar;
    out.scalar_bytes = tensor.dtype == kFloat ? tensor.content : std::string_view();
  } else {
    out.histogram = buckets_of(tensor);
  }
}

}  // namespace

EventValue parse_event_value(std::string_view message) {
  EventValue out;
  WireReader r(message);
  while (r.next()) {
    if (r.is(1, WireType::kBytes)) out.tag = r.bytes();
    if (r.is(2, WireType::kFixed32)) {
      out.scalar = std::bit_cast<float>(static_cast<std::uint32_t>(r.value()));
      const std::size_t end = message.size() - r.rest().size();
      out.scalar_bytes = message.substr(end - sizeof(float), sizeof(float));
    }
    if (r.is(5, WireType::kBytes)) out.histogram = histogram_of(r.bytes());
    if (r.is(8, WireType::kBytes)) read_tensor(r.bytes(), out);
    if (r.is(9, WireType::kBytes)) out.metadata = r.bytes();
  }
  return out;
}

std::string_view plugin_of(std::string_view metadata) {
  WireReader r(metadata);
  while (r.next()) {
    if (!r.is(1, WireType::kBytes)) continue;
    WireReader data(r.bytes());
    while (data.next()) {
      if (data.is(1, WireType::kBytes)) return data.bytes();
    }
  }
  return {};
}

std::string_view finite_state(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return "finite";
}

}  // namespace tfpm
