#include "parsers/detail/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>

#include "parsers/detail/crc32c_fold.h"

namespace tfpm {

std::uint32_t crc32c_extend_long(std::uint32_t crc, std::string_view bytes) {
  // crc32_iscsi takes an int length; a multiple of 64 keeps its fast path aligned.
  constexpr std::size_t kMaxStep = std::size_t{1} << 30;
  std::uint32_t state = ~crc;
  if (bytes.size() >= kCrcFoldLeast && crc32c_fold_fits()) state = crc32c_fold(state, bytes);
  while (!bytes.empty()) {
    const std::size_t step = std::min(bytes.size(), kMaxStep);
    // isa-l reads only; its signature lacks the const.
    auto* data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    state = crc32_iscsi(data, static_cast<int>(step), state);
    bytes.remove_prefix(step);
  }
  return ~state;
}

}  // namespace tfpm
