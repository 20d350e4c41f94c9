// Remembers which signatures a record hits, by its text with the digits masked.
//
// Error storms repeat a few messages that differ in numbers only; one hash then replaces the
// regular expressions (performance.md section 2.4). Sound because patterns whose verdict depends on
// digit values are never memoised (Matcher::memoisable), and masking keeps the length of numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ingest/matcher.h"

namespace tfpm {

// Indices of the signatures that hit, sorted.
using SignatureSet = std::vector<std::uint32_t>;

class VerdictMemo {
 public:
  explicit VerdictMemo(const Matcher& matcher) : matcher_(matcher) {}
  // Signatures of the record; valid until the next call.
  // Whether records that differ from this one in digits only have its verdict.
  bool shares(std::string_view text, std::span<const std::uint32_t> hits) const;
  const SignatureSet& judge(std::string_view text, std::span<const std::uint32_t> hits);

 private:
  std::uint64_t key_of(std::string_view text, std::span<const std::uint32_t> hits);

  const Matcher& matcher_;
  std::unordered_map<std::uint64_t, SignatureSet> known_;
  std::string masked_;
  SignatureSet unshared_;
};

// Copies `text` with every ASCII digit replaced by '0'.
void mask_digits(std::string_view text, std::string& out);

}  // namespace tfpm
