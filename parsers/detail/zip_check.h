// Is a zip file whole? Walks it once from front to back (formats.md 3.1): members with their
// checksums, the central directory, the end record. Nothing is inflated or written anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/hdf5_check.h"

namespace tfpm {

struct ZipMember {
  std::string name;
  std::uint64_t offset = 0;         // of its local header
  std::uint64_t stored = 0;         // bytes in the file
  bool whole = false;               // all its bytes are there
  bool checked = false;             // stored as it is, so that its checksum could be computed
  bool crc_ok = false;              // only if checked
  std::optional<Hdf5Finding> hdf5;  // of a member that is one by its name
};

struct ZipFinding {
  std::vector<ZipMember> members;         // in order; at most kMaxMembers are kept
  std::uint64_t seen = 0;                 // members in all
  bool has_end = false;                   // the end record is there
  std::optional<std::uint64_t> promised;  // entries by the end record
  std::uint64_t size = 0;                 // bytes of the file
  std::uint64_t lost_at = 0;              // where no header was any more; 0 = nowhere
};

class ZipCheck {
 public:
  static constexpr std::size_t kMaxMembers = 1000;

  ZipCheck();
  ~ZipCheck();
  // Bytes in order, in pieces of any size.
  void feed(std::string_view bytes);
  // What was found; call once, after the last byte.
  ZipFinding finish();

  // Whether a file begins like one: a local header.
  static bool looks_like(std::string_view head);

 private:
  struct Header;

  std::size_t take_header(std::string_view bytes);
  std::size_t take_data(std::string_view bytes);
  void begin_member();
  void end_member();
  void keep_tail(std::string_view bytes);
  void find_end();

  enum class Phase { kHeader, kData, kRest };
  Phase phase_ = Phase::kHeader;
  std::string header_;  // bytes of the local header so far
  ZipMember member_;
  std::uint64_t left_ = 0;  // bytes of the member still to come
  std::uint32_t crc_ = 0, wanted_crc_ = 0;
  std::unique_ptr<Hdf5Check> hdf5_;
  std::uint64_t size_ = 0;  // bytes consumed
  std::string tail_;        // last bytes, for the end record
  ZipFinding out_;
};

}  // namespace tfpm
