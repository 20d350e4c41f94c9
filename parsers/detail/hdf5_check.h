// Is an HDF5 file whole? Superblock, end-of-file address and root object header (formats.md 3.2).
//
// Shallow on purpose: no group is walked and no dataset read, so no link of a hostile file is ever
// followed. HDF5 keeps no checksums of its data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfpm {

enum class Hdf5State {
  kEmpty,          // no byte: created, nothing flushed
  kForeign,        // no signature where one may be
  kTruncated,      // ends before the address the superblock promises
  kBadSuperblock,  // its own checksum or its fields contradict it
  kNoRoot,         // the root group's header was never written
  kNotClosed,      // longer than promised: what was written after the last flush is not reachable
  kOpen,           // still marked as open for writing
  kWhole,
};

struct Hdf5Finding {
  Hdf5State state = Hdf5State::kEmpty;
  std::uint64_t offset = 0;  // of what is wrong
  std::string detail;        // a clause; empty for kWhole
};

class Hdf5Check {
 public:
  // Bytes in order, in pieces of any size.
  void feed(std::string_view bytes);
  // What was found; call once, after the last byte.
  Hdf5Finding finish();
  std::uint64_t size() const { return size_; }

  // Whether a file begins like one: the signature at 0.
  static bool looks_like(std::string_view head);

 private:
  struct Superblock {
    int version = 0;
    std::uint64_t end = 0;   // end-of-file address, from the signature
    std::uint64_t root = 0;  // root object header, from the signature
    bool open = false;       // marked as open for writing
    std::string wrong;       // empty = readable
  };

  void find_superblock();
  Superblock parse(std::string_view block) const;
  void catch_root(std::string_view bytes, std::uint64_t at);
  bool root_is_header() const;
  std::string foreign_detail() const;

  std::string head_;  // first bytes, until the superblock is found
  bool searched_ = false;
  std::uint64_t size_ = 0;
  std::optional<std::uint64_t> base_;  // where the signature is
  Superblock block_;
  std::string root_;  // first bytes at the root address
};

}  // namespace tfpm
