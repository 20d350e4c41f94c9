// Verifies one tensor of a bundle while its bytes stream by: checksum, finite values, and what a
// problem's sentence needs to know about the damage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "parsers/detail/float_scan.h"
#include "parsers/detail/string_checksum.h"
#include "parsers/detail/tensor_entry.h"

namespace tfpm {

enum class TensorStatus {
  kUnread,        // nobody looked at its bytes
  kOk,            // checksum good
  kCrcBad,        // all bytes there, checksum wrong
  kShort,         // the shard ends inside it
  kMissing,       // the shard ends before it, or the shard is not there
  kSizeMismatch,  // its size contradicts shape and type
  kOverlap,       // lies over the tensor before it
  kUnsupported,   // a type or a version this program does not know
};
std::string_view to_string(TensorStatus status);  // as in checkpoint_tensor.status

struct TensorResult {
  TensorStatus status = TensorStatus::kUnread;
  std::optional<std::uint32_t> crc;        // masked, of the bytes found
  std::optional<std::uint64_t> nonfinite;  // NaN and Inf values; absent: not a float, not read
  std::optional<std::uint64_t> first_nonfinite;  // byte offset in the shard
  std::optional<std::int64_t> scalar;            // value of an intact int32 or int64 scalar
  std::uint64_t bytes_read = 0;
  std::uint64_t zero_pages = 0;  // aligned 4096-byte pages of zeros inside it
  StringDamage damage = StringDamage::kNone;
};

struct TensorCheckOptions {
  bool big_endian = false;
  std::size_t keep_string = 0;  // keep a string payload of at most this many bytes
};

class TensorCheck {
 public:
  // `entry` must outlive the check and must not be partitioned.
  TensorCheck(const TensorEntry& entry, const TensorCheckOptions& options);

  // The tensor's next bytes. `file_offset` is where in the shard they lie.
  void feed(std::string_view bytes, std::uint64_t file_offset);
  // After the last byte, or where the shard ended.
  TensorResult finish();
  // A kept string payload; empty when none was asked for, or it did not fit.
  const std::string& kept() const;

 private:
  void feed_piece(std::string_view bytes);
  void judge(TensorResult& out) const;
  std::uint32_t masked_crc() const;

  const TensorEntry& entry_;
  std::uint64_t elements_ = 0;
  // What carries the checksum: the raw CRC, or the rule of strings or variants.
  std::variant<std::uint32_t, StringChecksum, VariantChecksum> sum_ = std::uint32_t{0};
  FloatScan floats_;
  bool big_endian_;
  std::string scalar_bytes_;
  std::uint64_t bytes_read_ = 0;
  std::uint64_t zero_pages_ = 0;
};

}  // namespace tfpm
