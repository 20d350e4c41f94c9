#include "parsers/detail/zip_check.h"

#include <isa-l/crc.h>

#include <algorithm>

#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kLocal = "PK\x03\x04"sv;
constexpr std::string_view kEnd = "PK\x05\x06"sv;
constexpr std::string_view kEnd64 = "PK\x06\x06"sv;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kTailBytes = 65'557 + 128;  // end record, longest comment, zip64 records
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;       // "see the zip64 field"
constexpr std::uint16_t kSizesBehind = 8;         // flag: sizes stand behind the data

std::uint16_t load_u16le(std::string_view bytes) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[0]) |
                                    static_cast<unsigned char>(bytes[1]) << 8);
}

std::uint32_t extend_crc32(std::uint32_t crc, std::string_view bytes) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  return crc32_gzip_refl(crc, data, bytes.size());
}

// Stored size by the zip64 field: uncompressed first, then compressed, where the header has none.
std::optional<std::uint64_t> size_in_extra(std::string_view extra, bool uncompressed_too) {
  constexpr std::uint16_t kZip64 = 1;
  while (extra.size() >= 4) {
    const std::uint16_t id = load_u16le(extra);
    const std::size_t length = load_u16le(extra.substr(2));
    extra.remove_prefix(4);
    if (length > extra.size()) return {};
    const std::size_t at = uncompressed_too ? 8 : 0;
    if (id == kZip64 && length >= at + 8) return load_u64le(extra.substr(at));
    extra.remove_prefix(length);
  }
  return {};
}

}  // namespace

ZipCheck::ZipCheck() = default;
ZipCheck::~ZipCheck() = default;

bool ZipCheck::looks_like(std::string_view head) {
  return head.starts_with(kLocal);
}

void ZipCheck::feed(std::string_view bytes) {
  keep_tail(bytes);
  while (!bytes.empty()) {
    const std::size_t taken = phase_ == Phase::kHeader ? take_header(bytes)
                              : phase_ == Phase::kData ? take_data(bytes)
                                                       : bytes.size();
    size_ += taken;
    bytes.remove_prefix(taken);
  }
}

// Gathers one local header with its name and extra field; 0 = it is complete, and its data begins
// here.
std::size_t ZipCheck::take_header(std::string_view bytes) {
  std::size_t needed = kLocalBytes;
  if (header_.size() >= kLocalBytes) {
    const std::string_view h = header_;
    needed += std::size_t{load_u16le(h.substr(26))} + load_u16le(h.substr(28));
  }
  if (header_.size() < needed) {
    const std::size_t take = std::min(needed - header_.size(), bytes.size());
    header_ += bytes.substr(0, take);
    const std::size_t compared = std::min(header_.size(), kLocal.size());
    if (header_.compare(0, compared, kLocal, 0, compared) != 0) {
      // The central directory begins, or what is no zip any more.
      if (!header_.starts_with("PK")) out_.lost_at = size_ + take - header_.size();
      phase_ = Phase::kRest;
    }
    return take;
  }
  begin_member();
  return 0;
}

void ZipCheck::begin_member() {
  const std::string_view h = header_;
  const std::uint16_t flags = load_u16le(h.substr(6));
  const std::uint16_t method = load_u16le(h.substr(8));
  const std::size_t name_bytes = load_u16le(h.substr(26));
  member_ = {};
  member_.name = h.substr(kLocalBytes, name_bytes);
  member_.offset = size_ - header_.size();
  wanted_crc_ = load_u32le(h.substr(14));
  const std::uint32_t stored = load_u32le(h.substr(18));
  std::optional<std::uint64_t> size = stored;
  if (stored == kIn64) {
    const bool both = load_u32le(h.substr(22)) == kIn64;
    size = size_in_extra(h.substr(kLocalBytes + name_bytes), both);
  }
  member_.checked = method == 0;
  crc_ = 0;
  hdf5_.reset();
  if (!size || ((flags & kSizesBehind) != 0 && *size == 0)) {
    // Where the member ends only its own content could tell: the end record still counts.
    ++out_.seen;
    member_.checked = false;
    if (out_.members.size() < kMaxMembers) out_.members.push_back(member_);
    phase_ = Phase::kRest;
    return;
  }
  member_.stored = *size;
  left_ = *size;
  if (member_.checked && member_.name.ends_with(".h5")) hdf5_ = std::make_unique<Hdf5Check>();
  header_.clear();
  phase_ = Phase::kData;
  if (left_ == 0) end_member();
}

std::size_t ZipCheck::take_data(std::string_view bytes) {
  const std::size_t take = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
  const std::string_view data = bytes.substr(0, take);
  if (member_.checked) crc_ = extend_crc32(crc_, data);
  if (hdf5_) hdf5_->feed(data);
  left_ -= take;
  if (left_ == 0) end_member();
  return take;
}

void ZipCheck::end_member() {
  member_.whole = left_ == 0;
  member_.crc_ok = member_.whole && member_.checked && crc_ == wanted_crc_;
  if (hdf5_) member_.hdf5 = hdf5_->finish();
  ++out_.seen;
  if (out_.members.size() < kMaxMembers) out_.members.push_back(std::move(member_));
  member_ = {};
  phase_ = Phase::kHeader;
}

void ZipCheck::keep_tail(std::string_view bytes) {
  if (bytes.size() >= kTailBytes) {
    tail_ = bytes.substr(bytes.size() - kTailBytes);
    return;
  }
  tail_ += bytes;
  if (tail_.size() > 4 * kTailBytes) tail_.erase(0, tail_.size() - kTailBytes);
}

void ZipCheck::find_end() {
  const std::string_view tail = tail_;
  const std::size_t at = tail.rfind(kEnd);
  if (at == std::string_view::npos || tail.size() - at < kEndBytes) return;
  const std::size_t comment = load_u16le(tail.substr(at + 20));
  if (tail.size() - at < kEndBytes + comment) return;
  out_.has_end = true;
  constexpr std::uint16_t kMany = 0xFFFF;
  const std::uint16_t entries = load_u16le(tail.substr(at + 10));
  const std::size_t at64 = tail.substr(0, at).rfind(kEnd64);
  if (entries != kMany) {
    out_.promised = entries;
  } else if (at64 != std::string_view::npos && at - at64 >= 40) {
    out_.promised = load_u64le(tail.substr(at64 + 32));
  }
}

ZipFinding ZipCheck::finish() {
  if (phase_ == Phase::kData) end_member();
  find_end();
  out_.size = size_;
  return std::move(out_);
}

}  // namespace tfpm
