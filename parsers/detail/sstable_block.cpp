#include "parsers/detail/sstable_block.h"

#include "parsers/detail/wire.h"

namespace tfpm {

std::optional<std::string_view> entry_area(std::string_view block) {
  if (block.size() < 4) return {};
  const std::uint64_t restarts = load_u32le(block.substr(block.size() - 4));
  if (restarts > block.size() / 4 - 1) return {};
  return block.substr(0, block.size() - 4 * (restarts + 1));
}

bool BlockEntries::next() {
  if (rest_.empty()) return false;
  ok_ = read_entry();
  return ok_;
}

bool BlockEntries::read_entry() {
  const std::optional<std::uint64_t> shared = take_varint(rest_);
  const std::optional<std::uint64_t> unshared = shared ? take_varint(rest_) : std::nullopt;
  const std::optional<std::uint64_t> size = unshared ? take_varint(rest_) : std::nullopt;
  if (!size || *shared > key_.size() || *unshared > kMaxKeySize - *shared) return false;
  if (*unshared > rest_.size() || *size > rest_.size() - *unshared) return false;
  key_.resize(*shared);
  key_ += rest_.substr(0, *unshared);
  value_ = rest_.substr(*unshared, *size);
  rest_.remove_prefix(*unshared + *size);
  return true;
}

}  // namespace tfpm
