// Sorted string tables (LevelDB style): the container of checkpoint indexes and of V1 checkpoints
// (formats.md 1.2). Works on a whole file in memory; every length in it is hostile.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "parsers/detail/fault.h"

namespace tfpm {

inline constexpr std::size_t kTableFooterSize = 48;
inline constexpr std::string_view kTableMagic = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";

// Both views are valid only during the call. Return false to stop.
using EntryVisitor = std::function<bool(std::string_view key, std::string_view value)>;

struct TableReading {
  bool has_footer = false;     // the footer is there and points to an index block that reads
  std::uint64_t blocks = 0;    // data blocks named by the index block
  std::uint64_t damaged = 0;   // of these, how many did not read to their end
  std::uint64_t salvaged = 0;  // entries recovered without footer or checksum: unverified
  std::vector<Fault> faults;   // in file order, at most kMaxTableFaults
};
inline constexpr std::size_t kMaxTableFaults = 32;

// Visits every entry of every data block that reads, in order. Checks block checksums, entry
// structure, ascending keys and that blocks do not overlap. Without a usable footer, entries of the
// first data block are recovered until the first violation.
TableReading read_table(std::string_view file, const EntryVisitor& visit);

// The `size` bytes of a file end with the table's magic.
bool has_table_magic(std::string_view file);

}  // namespace tfpm
