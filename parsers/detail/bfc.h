// The BFC allocator's report of a failed allocation, as TensorFlow logs it over many records
// (formats.md 7.4; field names per version: TensorFlow core/common_runtime/bfc_allocator.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "parsers/detail/bfc_content.h"
#include "parsers/parser.h"

namespace tfpm {

// What is known of the report being read.
struct BfcDump {
  std::uint64_t line = 0;
  std::uint64_t byte_offset = 0;
  std::optional<std::string> allocator, op;
  std::optional<std::int64_t> requested, limit, in_use, pool;
  std::optional<std::int64_t> largest_listed;   // greatest free chunk of the listing
  std::optional<std::int64_t> largest_counted;  // LargestFreeBlock, often not maintained
  bool listing = false;                         // chunks were listed at all
  std::uint64_t records = 0;
};

// Fed with the records of one stream, in order; adds an allocator_dump row for each failed
// allocation, complete or cut. Keeps numbers only, whatever the length of the chunk listing.
class BfcReader {
 public:
  // `stream`: the stream row the records belong to; absent = none.
  BfcReader(std::optional<RowRef> stream, Sink& sink) : stream_(stream), sink_(&sink) {}

  // Cheap: may this record begin a report?
  static bool may_start(std::string_view message);
  // While a report is open every record must come; otherwise those of may_start() are enough.
  bool open() const { return dump_.has_value(); }
  // `message`: the record without its header, continuation lines included.
  void add(std::string_view message, std::uint64_t line, std::uint64_t byte_offset);
  // Writes a report the log cut off.
  void finish();

 private:
  bool start(std::string_view message, std::uint64_t line, std::uint64_t byte_offset);
  void read_part(std::string_view message);
  void read_chunk(std::string_view message);
  void read_stats(std::string_view body);

  std::optional<RowRef> stream_;
  Sink* sink_;
  std::optional<BfcDump> dump_;
  BfcContent content_;
};

// "2684354560", "512B", "2.50GiB", "128.0M": bytes; nullopt for anything else.
std::optional<std::int64_t> parse_memory_size(std::string_view text);

}  // namespace tfpm
