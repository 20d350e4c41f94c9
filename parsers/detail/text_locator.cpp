#include "parsers/detail/text_locator.h"

#include <algorithm>

#include "parsers/detail/text.h"

namespace tfpm {

TextPlace TextLocator::here() const {
  const std::string_view rest = text_.substr(std::min(line_start_, text_.size()));
  std::string_view row = rest.substr(0, rest.find('\n'));
  if (row.ends_with('\r')) row.remove_suffix(1);
  const std::uint64_t offset = line_start_ == 0 ? line_offset_ : byte_offset_ + line_start_;
  return {line_, offset, trim(row)};
}

TextPlace TextLocator::find(std::string_view key, std::string_view value) {
  std::size_t start = line_start_;
  std::uint64_t line = line_;
  while (start < text_.size()) {
    const std::size_t end = std::min(text_.find('\n', start), text_.size());
    const std::string_view row = text_.substr(start, end - start);
    const std::size_t at = row.find(key);
    if (at != std::string_view::npos && contains(row.substr(at + key.size()), value)) {
      line_start_ = start;
      line_ = line;
      break;
    }
    start = end + 1;
    ++line;
  }
  return here();
}

}  // namespace tfpm
