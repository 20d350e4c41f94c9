#include "parsers/detail/hdf5_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "parsers/detail/lookup3.h"
#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n"sv;
// The signature may stand behind a user block of 512, 1024, ... bytes; larger ones are not met.
constexpr std::size_t kHeadBytes = std::size_t{64} << 10;
constexpr std::size_t kSuperblockBytes = 128;  // of any version, with 8-byte addresses
constexpr std::size_t kRootBytes = 4;
constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

std::uint64_t byte_at(std::string_view block, std::size_t at) {
  return static_cast<unsigned char>(block[at]);
}

}  // namespace

bool Hdf5Check::looks_like(std::string_view head) {
  return head.starts_with(kSignature);
}

void Hdf5Check::feed(std::string_view bytes) {
  const std::uint64_t at = size_;
  size_ += bytes.size();
  if (!searched_) {
    head_ += bytes.substr(0, kHeadBytes - std::min(kHeadBytes, head_.size()));
    if (head_.size() >= kHeadBytes) find_superblock();
  }
  catch_root(bytes, at);
}

void Hdf5Check::find_superblock() {
  searched_ = true;
  for (std::size_t at = 0; at < head_.size(); at = at == 0 ? 512 : 2 * at) {
    if (head_.compare(at, kSignature.size(), kSignature) != 0) continue;
    base_ = at;
    block_ = parse(std::string_view(head_).substr(at, kSuperblockBytes));
    catch_root(head_, 0);
    return;
  }
}

// Keeps the first bytes of the root object header as they pass.
void Hdf5Check::catch_root(std::string_view bytes, std::uint64_t at) {
  if (!base_ || !block_.wrong.empty() || block_.root > kNoAddress - *base_) return;
  const std::uint64_t wanted = *base_ + block_.root + root_.size();
  if (root_.size() >= kRootBytes || wanted < at || wanted - at >= bytes.size()) return;
  root_ += bytes.substr(wanted - at, kRootBytes - root_.size());
}

Hdf5Check::Superblock Hdf5Check::parse(std::string_view block) const {
  Superblock out;
  constexpr std::size_t kVersionAt = 8;
  if (block.size() <= kVersionAt) {
    out.wrong = "ends inside its superblock";
    return out;
  }
  out.version = static_cast<int>(byte_at(block, kVersionAt));
  const bool old = out.version <= 1;
  const std::size_t shift = out.version == 1 ? 4 : 0;  // one field more
  const std::size_t needed = old ? 72 + shift : 48;
  if (out.version > 3) {
    out.wrong = fmt::format("superblock version {} is not known", out.version);
  } else if (block.size() < needed) {
    out.wrong = "ends inside its superblock";
  } else if (byte_at(block, old ? 13 : 9) != 8 || byte_at(block, old ? 14 : 10) != 8) {
    out.wrong = "its superblock has addresses that are not 8 bytes wide";
  }
  if (!out.wrong.empty()) return out;
  if (old) {
    out.end = load_u64le(block.substr(40 + shift));
    out.root = load_u64le(block.substr(64 + shift));
    return out;
  }
  constexpr std::size_t kChecked = 44;
  out.end = load_u64le(block.substr(28));
  out.root = load_u64le(block.substr(36));
  out.open = out.version == 3 && (byte_at(block, 11) & 1U) != 0;
  if (lookup3(block.substr(0, kChecked)) != load_u32le(block.substr(kChecked))) {
    out.wrong = "its superblock does not have the checksum it stores";
  }
  return out;
}

// An object header: version 1, or the tag of version 2.
bool Hdf5Check::root_is_header() const {
  return block_.version <= 1 ? root_.starts_with("\x01\0"sv) : root_ == "OHDR";
}

// Line ends and the first byte tell what changed the file on its way.
std::string Hdf5Check::foreign_detail() const {
  const std::string_view head = head_;
  if (head.starts_with("\x89HDF\n\x1a\n"sv) || head.starts_with("\x89HDF\r\r\n\x1a"sv)) {
    return "line ends were changed in transfer (text mode), which destroys a binary file";
  }
  if (head.starts_with("\xef\xbf\xbdHDF"sv)) {
    return "passed through a text encoder, which destroyed its bytes for good";
  }
  if (head.find_first_not_of('\0') == std::string_view::npos) {
    return "begins with zeros: never flushed, or lost with the disk's cache";
  }
  return "has no HDF5 signature: not such a file, or its beginning was overwritten";
}

Hdf5Finding Hdf5Check::finish() {
  if (!searched_) find_superblock();
  if (size_ == 0) return {Hdf5State::kEmpty, 0, "is empty: created, nothing was flushed"};
  if (!base_) return {Hdf5State::kForeign, 0, foreign_detail()};
  if (!block_.wrong.empty()) return {Hdf5State::kBadSuperblock, *base_, block_.wrong};
  const std::uint64_t have = size_ - *base_;
  if (block_.end > have) {
    return {Hdf5State::kTruncated, size_,
            fmt::format("is cut: its superblock promises {} bytes, it has {}", block_.end, have)};
  }
  if (!root_is_header()) {
    return {Hdf5State::kNoRoot, *base_ + std::min(block_.root, have),
            "has no root group where its superblock says: its writer died before it flushed"};
  }
  if (block_.open) {
    return {Hdf5State::kOpen, *base_ + 11, "is still marked as open for writing: its writer died"};
  }
  if (have > block_.end) {
    return {Hdf5State::kNotClosed, *base_ + block_.end,
            fmt::format("was not closed: its superblock covers {} bytes, it has {}, and what was "
                        "written after the last flush is lost",
                        block_.end, have)};
  }
  return {Hdf5State::kWhole, 0, {}};
}

}  // namespace tfpm
