#include "parsers/checkpoint/foreign.h"

#include <cstddef>

namespace tfpm {
namespace {

// Bytes that are no UTF-8 became U+FFFD: more than one in a thousand bytes belongs to such triples.
bool went_through_text_encoder(std::string_view bytes) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::size_t found = 0;
  for (std::size_t at = bytes.find(kReplacement); at != std::string_view::npos;
       at = bytes.find(kReplacement, at + kReplacement.size())) {
    found += kReplacement.size();
  }
  return found > 0 && found * 1000 > bytes.size();
}

}  // namespace

std::string_view describe_foreign(std::string_view bytes) {
  if (bytes.starts_with("version https://git-lfs")) {
    return "a Git LFS pointer, not the file itself";
  }
  if (bytes.starts_with("<!DOCTYPE") || bytes.starts_with("<html") || bytes.starts_with("<?xml")) {
    return "a web page, most likely the error of a failed download";
  }
  if (went_through_text_encoder(bytes)) {
    return "passed through a text encoder, which destroyed its bytes for good";
  }
  return {};
}

}  // namespace tfpm
