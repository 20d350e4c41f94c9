#include "bundle/limits.h"

#include <limits>

namespace tfpm {

DecodeBudget::DecodeBudget(const BundleLimits& limits, std::uint64_t stored_bytes) {
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t ratio = limits.decoded_ratio;
  const bool overflow = ratio != 0 && stored_bytes > (kMax - limits.decoded_base) / ratio;
  left_ = overflow ? kMax : limits.decoded_base + stored_bytes * ratio;
}

Status DecodeBudget::take(std::uint64_t bytes) {
  if (bytes <= left_) {
    left_ -= bytes;
    return ok_status();
  }
  left_ = 0;
  return error(ErrorKind::kLimit, "the archive unpacks to far more than its size allows", {},
               "looks like a decompression bomb");
}

}  // namespace tfpm
