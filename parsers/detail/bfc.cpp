#include "parsers/detail/bfc.h"

#include <algorithm>
#include <cmath>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::string_view kRanOut = "ran out of memory trying to allocate";
// A report of a large pool has a record a chunk; longer ones are no report any more.
constexpr std::uint64_t kMaxRecords = 2'000'000;

// The size behind `key`, up to a blank, bracket or line end.
std::optional<std::int64_t> size_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(at + key.size());
  while (!rest.empty() && is_blank(rest[0])) rest.remove_prefix(1);
  return parse_memory_size(rest.substr(0, rest.find_first_of(" )\n\r,;")));
}

}  // namespace

std::optional<std::int64_t> parse_memory_size(std::string_view text) {
  if (const auto bytes = parse_int(text)) return *bytes >= 0 ? bytes : std::nullopt;
  const auto number = leading_decimal(text);
  const std::size_t unit_at = text.find_first_not_of("0123456789.");
  if (!number || *number < 0 || unit_at == std::string_view::npos) return std::nullopt;
  const std::string_view unit = text.substr(unit_at);
  double factor = 0;
  if (unit == "B") factor = 1;
  if (unit == "KiB" || unit == "K") factor = 1024.0;
  if (unit == "MiB" || unit == "M") factor = 1024.0 * 1024;
  if (unit == "GiB" || unit == "G") factor = 1024.0 * 1024 * 1024;
  if (unit == "TiB" || unit == "T") factor = 1024.0 * 1024 * 1024 * 1024;
  const double bytes = *number * factor;
  if (factor == 0 || bytes > 9e18) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(bytes));
}

bool BfcReader::may_start(std::string_view message) {
  return message.starts_with("Allocator (") && contains(message, kRanOut);
}

// "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.50GiB (rounded to 2684354560)
// requested by op X"; 1.15 names no op, newer builds say which end of the pool.
bool BfcReader::start(std::string_view message, std::uint64_t line, std::uint64_t byte_offset) {
  // Tried with a way out: "The caller indicates that this is not a failure".
  if (contains(message, "this is not a failure")) return false;
  dump_.emplace();
  content_ = BfcContent();
  dump_->line = line;
  dump_->byte_offset = byte_offset;
  if (const auto name = between(message, "Allocator (", ")")) {
    dump_->allocator = clean_utf8(*name, 200);
  }
  dump_->requested = size_after(message, "(rounded to ");
  if (!dump_->requested) dump_->requested = size_after(message, kRanOut);
  const std::size_t op = message.find("requested by op ");
  if (op != std::string_view::npos) {
    std::string_view rest = message.substr(op + 16);
    const std::string_view name = trim(rest.substr(0, rest.find('\n')));
    if (!name.empty()) dump_->op = clean_utf8(name, 500);
  }
  return true;
}

// "InUse at 0x7f.. of size 1024 next 5", "Free  at 0x7f.. of size 2048 next 6"; 1.15:
// "InUse at 0x7f.. next 5 of size 1024".
void BfcReader::read_chunk(std::string_view message) {
  dump_->listing = true;
  if (!message.starts_with("Free")) return;
  const auto size = size_after(message, " of size ");
  if (size) dump_->largest_listed = std::max(dump_->largest_listed.value_or(0), *size);
}

void BfcReader::read_stats(std::string_view body) {
  if (const auto limit = size_after(body, "Limit:")) dump_->limit = limit;
  // "\nInUse:" would miss a first line; "MaxInUse:" must not count.
  std::string_view rest = body;
  while (!rest.empty()) {
    const std::string_view row = trim(rest.substr(0, rest.find('\n')));
    if (row.starts_with("InUse:")) dump_->in_use = size_after(row, "InUse:");
    const std::size_t end = rest.find('\n');
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  dump_->largest_counted = size_after(body, "LargestFreeBlock:");
}

void BfcReader::read_part(std::string_view message) {
  if (message.starts_with("InUse at ") || message.starts_with("Free  at ") ||
      message.starts_with("Free at ")) {
    read_chunk(message);
  } else if (message.starts_with("Sum Total of in-use chunks:")) {
    dump_->in_use = size_after(message, "chunks:");
  } else if (message.starts_with("total_region_allocated_bytes_:") ||
             message.starts_with("Total bytes in pool:") ||
             message.starts_with("Total size in pool:")) {
    dump_->pool = size_after(message, ":");
    dump_->limit = size_after(message, "memory_limit_:");
  } else if (message.starts_with("Stats:")) {
    read_stats(message);
    finish();
  }
}

void BfcReader::add(std::string_view message, std::uint64_t line, std::uint64_t byte_offset) {
  message = trim(message);
  if (may_start(message)) {
    finish();
    start(message, line, byte_offset);
    return;
  }
  if (!dump_) return;
  if (++dump_->records > kMaxRecords) {
    finish();
    return;
  }
  content_.add(message);
  read_part(message);
}

void BfcReader::finish() {
  if (!dump_) return;
  const BfcDump& d = *dump_;
  // A complete listing without a free chunk means that none is free; the counter is zero where it
  // is not maintained, so zero says nothing.
  std::optional<std::int64_t> largest = d.largest_listed;
  if (!largest && d.largest_counted.value_or(0) > 0) largest = d.largest_counted;
  if (!largest && d.listing && d.pool) largest = 0;
  const RowRef row =
      sink_->add("allocator_dump", {{"stream", stream_ ? Value(*stream_) : null_value()},
                                    {"line", int_value(d.line)},
                                    {"byte_offset", int_value(d.byte_offset)},
                                    {"allocator", optional_value(d.allocator)},
                                    {"requested", optional_value(d.requested)},
                                    {"limit_bytes", optional_value(d.limit)},
                                    {"in_use", optional_value(d.in_use)},
                                    {"pool", optional_value(d.pool)},
                                    {"largest_free", optional_value(largest)},
                                    {"op", optional_value(d.op)}});
  content_.emit(row, *sink_);
  dump_.reset();
}

}  // namespace tfpm
