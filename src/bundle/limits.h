// What hostile input may cost (formats.md 0.7, architecture.md section 7).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/status.h"

namespace tfpm {

// The defaults let bundles of 100 GB pass; tests use smaller ones.
struct BundleLimits {
  // Entries of archives, all archives of a bundle together. Files of a directory are not limited:
  // whoever can make them owns the disk already.
  std::uint64_t archive_members = 100'000;
  // Nested archives below the one named on the command line.
  int depth = 4;
  // Bytes that all decoders of a walk may produce together: a fixed part that any bundle may use
  // and a multiple of its stored size. A bomb then costs minutes, never memory.
  std::uint64_t decoded_base = std::uint64_t{128} << 30;
  std::uint64_t decoded_ratio = 1000;
  // Stored bytes of a nested archive that are held to find its root folder (member_path.h).
  std::size_t look_ahead = std::size_t{8} << 20;
};

// Counts what decoders of one walk produce. Not thread-safe: a walk runs on one thread.
class DecodeBudget {
 public:
  DecodeBudget(const BundleLimits& limits, std::uint64_t stored_bytes);
  // An error of kind kLimit when `bytes` more are too many.
  Status take(std::uint64_t bytes);

 private:
  std::uint64_t left_ = 0;
};

}  // namespace tfpm
