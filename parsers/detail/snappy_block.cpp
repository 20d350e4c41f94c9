#include "parsers/detail/snappy_block.h"

#include <snappy.h>

namespace tfpm {

std::optional<std::string> snappy_uncompress(std::string_view compressed) {
  // Raw Snappy's best ratio is about 21:1; a header that claims 64:1 lies.
  constexpr std::size_t kMaxRatio = 64;
  constexpr std::size_t kSlack = 64;
  std::size_t size = 0;
  if (!snappy::GetUncompressedLength(compressed.data(), compressed.size(), &size)) return {};
  if (size > kMaxSnappyBlock || size > kMaxRatio * compressed.size() + kSlack) return {};
  std::string out(size, '\0');
  if (!snappy::RawUncompress(compressed.data(), compressed.size(), out.data())) return {};
  return out;
}

}  // namespace tfpm
