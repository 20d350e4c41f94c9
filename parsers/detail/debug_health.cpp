#include "parsers/detail/debug_health.h"

#include <bit>
#include <cmath>
#include <vector>

#include "parsers/detail/dtype.h"
#include "parsers/detail/float_scan.h"
#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

// Summaries have at most 22 numbers; of a whole tensor only the content is looked at.
constexpr std::size_t kMaxNumbers = 32;

struct Parts {
  std::uint64_t dtype = 0;
  std::string_view content;
  std::vector<double> listed;  // of float_val or double_val
};

void add_listed(Parts& out, double value) {
  if (out.listed.size() < kMaxNumbers) out.listed.push_back(value);
}

double float_of(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

Parts parts_of(std::string_view tensor) {
  Parts out;
  WireReader r(tensor);
  while (r.next()) {
    if (r.is(1, WireType::kVarint)) out.dtype = r.value();
    if (r.is(4, WireType::kBytes)) out.content = r.bytes();
    if (r.is(5, WireType::kFixed32)) add_listed(out, float_of(r.value()));
    if (r.is(6, WireType::kFixed64)) add_listed(out, std::bit_cast<double>(r.value()));
    std::string_view packed = r.bytes();
    for (; r.is(5, WireType::kBytes) && packed.size() >= 4; packed.remove_prefix(4)) {
      add_listed(out, float_of(load_u32le(packed)));
    }
    for (; r.is(6, WireType::kBytes) && packed.size() >= 8; packed.remove_prefix(8)) {
      add_listed(out, std::bit_cast<double>(load_u64le(packed)));
    }
  }
  return out;
}

// The numbers of a summary, however they are stored.
std::vector<double> numbers_of(const Parts& parts) {
  if (parts.content.empty()) return parts.listed;
  std::vector<double> out;
  const std::size_t width = parts.dtype == static_cast<std::uint64_t>(kDtDouble)  ? 8
                            : parts.dtype == static_cast<std::uint64_t>(kDtFloat) ? 4
                                                                                  : 0;
  if (width == 0) return out;
  for (std::string_view rest = parts.content; rest.size() >= width && out.size() < kMaxNumbers;
       rest.remove_prefix(width)) {
    out.push_back(width == 8 ? std::bit_cast<double>(load_u64le(rest))
                             : float_of(load_u32le(rest)));
  }
  return out;
}

std::int64_t count_of(double v) {
  return v >= 0 && v < 1e15 ? static_cast<std::int64_t>(v) : 0;
}

TensorHealth counted(const std::vector<double>& v, std::size_t first) {
  TensorHealth h;
  if (v.size() < first + 3) return h;
  h.inf = count_of(v[first]) + count_of(v[first + 1]);
  h.nan = count_of(v[first + 2]);
  h.bad = *h.inf > 0 || *h.nan > 0;
  return h;
}

// The value itself, of any floating type.
TensorHealth scanned(const Parts& parts) {
  TensorHealth h;
  for (const double v : parts.listed) h.bad = h.bad || !std::isfinite(v);
  const auto layout = float_layout(static_cast<DataType>(parts.dtype));
  if (layout.lane_bytes == 0 || parts.content.empty()) return h;
  FloatScan scan(layout);
  scan.feed(parts.content);
  h.bad = scan.nonfinite() > 0;
  return h;
}

// [-inf or 0, +inf or 0, NaN or 0].
TensorHealth three_slots(const std::vector<double>& v) {
  TensorHealth h;
  for (std::size_t i = 0; i < v.size() && i < 3; ++i) h.bad = h.bad || v[i] != 0;
  return h;
}

}  // namespace

TensorHealth tensor_health(std::string_view tensor, std::uint64_t mode) {
  constexpr std::size_t kConcise = 2, kFull = 5, kNumerics = 11;  // where the three counts begin
  if (mode == 0 || mode == 1 || mode == 5 || mode > 8) return {};
  const Parts parts = parts_of(tensor);
  if (mode == 7) return scanned(parts);
  const std::vector<double> numbers = numbers_of(parts);
  switch (mode) {
    case 2: {
      TensorHealth h;
      h.bad = numbers.size() > 1 && numbers[1] != 0;
      return h;
    }
    case 3:
      return counted(numbers, kConcise);
    case 4:
      return counted(numbers, kFull);
    case 6:
      return counted(numbers, kNumerics);
    default:
      return three_slots(numbers);
  }
}

}  // namespace tfpm
