#include "parsers/detail/tensor_check.h"

#include <algorithm>

#include "parsers/detail/crc32c.h"
#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

constexpr std::size_t kPage = 4096;

// Aligned pages of zeros: what lost writes and sparse holes leave. Most pages are told apart by
// their first word.
std::uint64_t count_zero_pages(std::string_view bytes, std::uint64_t file_offset) {
  const std::size_t lead = (kPage - file_offset % kPage) % kPage;
  std::uint64_t count = 0;
  for (std::size_t at = lead; at + kPage <= bytes.size(); at += kPage) {
    if (load_u64le(bytes.substr(at, 8)) != 0) continue;
    if (bytes.substr(at, kPage).find_first_not_of('\0') == std::string_view::npos) ++count;
  }
  return count;
}

// Whether values can be tested as stored: this program compares little-endian lanes.
FloatLayout testable_layout(DataType dtype, bool big_endian) {
  const FloatLayout layout = float_layout(dtype);
  return big_endian && layout.lane_bytes > 1 ? FloatLayout{} : layout;
}

}  // namespace

std::string_view to_string(TensorStatus status) {
  switch (status) {
    case TensorStatus::kUnread:
      return "unread";
    case TensorStatus::kOk:
      return "ok";
    case TensorStatus::kCrcBad:
      return "crc-bad";
    case TensorStatus::kShort:
      return "short";
    case TensorStatus::kMissing:
      return "missing";
    case TensorStatus::kSizeMismatch:
      return "size-mismatch";
    case TensorStatus::kOverlap:
      return "overlap";
    case TensorStatus::kUnsupported:
      return "unsupported";
  }
  return "unread";
}

TensorCheck::TensorCheck(const TensorEntry& entry, const TensorCheckOptions& options)
    : entry_(entry),
      elements_(element_count(entry.shape).value_or(0)),
      floats_(testable_layout(entry.dtype, options.big_endian)),
      big_endian_(options.big_endian) {
  if (entry.dtype == kDtString) {
    sum_ = StringChecksum(elements_, options.big_endian, options.keep_string);
  } else if (entry.dtype == kDtVariant) {
    sum_ = VariantChecksum(elements_);
  }
}

void TensorCheck::feed(std::string_view bytes, std::uint64_t file_offset) {
  // Every test looks at a piece while it is in the first-level cache.
  constexpr std::size_t kPiece = std::size_t{16} * 1024;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    feed_piece(bytes.substr(at, kPiece));
  }
  zero_pages_ += count_zero_pages(bytes, file_offset);
}

void TensorCheck::feed_piece(std::string_view bytes) {
  if (auto* crc = std::get_if<std::uint32_t>(&sum_)) *crc = crc32c_extend(*crc, bytes);
  if (auto* strings = std::get_if<StringChecksum>(&sum_)) strings->feed(bytes);
  if (auto* variants = std::get_if<VariantChecksum>(&sum_)) variants->feed(bytes);
  floats_.feed(bytes);
  if (bytes_read_ < sizeof(std::uint64_t) && entry_.shape.empty()) {
    scalar_bytes_ += bytes.substr(0, sizeof(std::uint64_t) - bytes_read_);
  }
  bytes_read_ += bytes.size();
}

std::uint32_t TensorCheck::masked_crc() const {
  if (const auto* strings = std::get_if<StringChecksum>(&sum_)) return strings->masked();
  if (const auto* variants = std::get_if<VariantChecksum>(&sum_)) return variants->masked();
  return crc32c_mask(std::get<std::uint32_t>(sum_));
}

void TensorCheck::judge(TensorResult& out) const {
  if (bytes_read_ < static_cast<std::uint64_t>(entry_.size)) {
    out.status = bytes_read_ == 0 ? TensorStatus::kMissing : TensorStatus::kShort;
    return;
  }
  out.crc = masked_crc();
  if (const auto* strings = std::get_if<StringChecksum>(&sum_)) out.damage = strings->damage();
  if (const auto* variants = std::get_if<VariantChecksum>(&sum_)) out.damage = variants->damage();
  // Upstream also reads a string tensor of no elements that is stored as nothing.
  const bool nothing = entry_.size == 0 && elements_ == 0;
  const bool good = nothing || (*out.crc == entry_.crc && out.damage == StringDamage::kNone);
  out.status = good ? TensorStatus::kOk : TensorStatus::kCrcBad;
}

TensorResult TensorCheck::finish() {
  TensorResult out;
  out.bytes_read = bytes_read_;
  out.zero_pages = zero_pages_;
  judge(out);
  if (floats_.active() && out.crc) {
    out.nonfinite = floats_.nonfinite();
    if (floats_.first()) {
      out.first_nonfinite = *floats_.first() + static_cast<std::uint64_t>(entry_.offset);
    }
  }
  if (out.status == TensorStatus::kOk && entry_.shape.empty() && !big_endian_) {
    if (entry_.dtype == kDtInt64) {
      out.scalar = static_cast<std::int64_t>(load_u64le(scalar_bytes_));
    } else if (entry_.dtype == kDtInt32) {
      out.scalar = static_cast<std::int32_t>(load_u32le(scalar_bytes_));
    }
  }
  return out;
}

const std::string& TensorCheck::kept() const {
  static const std::string none;
  const auto* strings = std::get_if<StringChecksum>(&sum_);
  return strings != nullptr ? strings->kept() : none;
}

}  // namespace tfpm
