// TFRecord framing: length, masked CRC of the length, data, masked CRC of the data
// (formats.md 4.1).
//
// A killed writer leaves a truncated tail, which is told apart from damage; after damage the reader
// looks for the next place where a header's own checksum fits and goes on there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

struct TfRecord {
  std::string_view data;     // valid until the next call
  std::uint64_t offset = 0;  // of the record's header in the member
};

class TfRecordReader {
 public:
  // Larger records are checked, skipped and counted as a problem: nothing that is read here needs
  // them.
  static constexpr std::uint64_t kMaxRecord = std::uint64_t{16} << 20;

  // `in` must outlive the reader.
  explicit TfRecordReader(ByteStream& in) : in_(in) {}

  // The next intact record; false at the end.
  bool next(TfRecord& out);

  // What was wrong so far, as problems of `sink`, with codes PREFIX-truncated-tail,
  // PREFIX-corrupt-record, PREFIX-corrupt-framing, PREFIX-zero-tail, PREFIX-oversized-record. Call
  // once, after the last next().
  void report(Sink& sink, std::string_view kind) const;
  std::uint64_t records() const { return records_; }

  // True when the first 12 bytes are a header whose checksum fits.
  static bool looks_like(std::string_view head);

 private:
  enum class Fault {
    kTruncatedTail,
    kCorruptRecord,
    kCorruptFraming,
    kZeroTail,
    kOversized,
    kMedium
  };
  struct Incident {
    Fault fault;
    std::uint64_t offset;
    std::uint64_t bytes;  // lost
  };

  // Makes at least `n` bytes available from the cursor; false when the member ends before.
  bool need(std::size_t n) { return end_ - begin_ >= n || fill(n); }
  bool fill(std::size_t n);
  void make_room(std::size_t n);
  std::string_view at_cursor() const;
  void advance(std::size_t n);
  bool skip_oversized(std::uint64_t length);
  bool resync();
  void note(Fault fault, std::uint64_t offset, std::uint64_t bytes);

  ByteStream& in_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // what was read and not yet taken
  std::uint64_t base_ = 0;           // member offset of buffer_[0]
  bool eof_ = false;
  std::uint64_t records_ = 0;
  std::vector<Incident> incidents_;
  std::uint64_t incidents_seen_ = 0;
};

}  // namespace tfpm
