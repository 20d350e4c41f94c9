#include "parsers/detail/bfc_content.h"

#include <algorithm>
#include <utility>

#include "parsers/detail/bfc.h"
#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxOpName = 500;

// Reads the size in front of `unit_text` ("2.0KiB allocated for chunks").
std::optional<std::int64_t> size_before(std::string_view text, std::string_view unit_text) {
  const std::size_t at = text.find(unit_text);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view front = trim(text.substr(0, at));
  return parse_memory_size(front.substr(front.find_last_of(" \t") + 1));
}

std::optional<std::int64_t> count_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(at + key.size());
  return parse_int(eat_digits(rest));
}

}  // namespace

// "Bin (256): \tTotal Chunks: 3, Chunks in use: 2. 768B allocated for chunks. 512B in use in bin.
// 8B client-requested in use in bin."
bool BfcContent::add_bin(std::string_view message) {
  if (!eat(message, "Bin (")) return false;
  Bin bin;
  const auto size = parse_int(eat_digits(message));
  if (!size || !message.starts_with("):")) return false;
  bin.size = *size;
  bin.chunks = count_after(message, "Total Chunks: ");
  bin.chunks_in_use = count_after(message, "Chunks in use: ");
  bin.allocated = size_before(message, " allocated for chunks");
  bin.in_use = size_before(message, " in use in bin");
  bin.requested = size_before(message, " client-requested in use in bin");
  if (bins_.size() < kMaxBins) bins_.push_back(bin);
  return true;
}

// "12 Chunks of size 1024 totalling 12.0KiB": the total is rounded, the product is not.
bool BfcContent::add_size(std::string_view message) {
  const auto chunks = parse_int(eat_digits(message));
  if (!chunks || !eat(message, " Chunks of size ")) return false;
  const auto size = parse_int(eat_digits(message));
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  if (!size || *size <= 0 || *chunks <= 0 || *size > kMost / *chunks) return false;
  sizes_[*size] = {*chunks, *size * *chunks};
  if (sizes_.size() > kMaxSizes) {
    sizes_.erase(std::min_element(sizes_.begin(), sizes_.end(), [](const auto& a, const auto& b) {
      return a.second.bytes < b.second.bytes;
    }));
  }
  return true;
}

// "InUse at 7f00 of size 1280 by op Add action_count 2 step 0 next 1"
bool BfcContent::add_chunk(std::string_view message) {
  if (!message.starts_with("InUse at ")) return false;
  const std::size_t at = message.find(" by op ");
  const auto size = count_after(message, " of size ");
  if (at == std::string_view::npos || !size) return false;
  std::string_view rest = message.substr(at + 7);
  std::string op = clean_utf8(eat_token(rest), kMaxOpName);
  if (ops_.size() >= kMaxOps && ops_.count(op) == 0) return true;
  Held& held = ops_[std::move(op)];
  ++held.chunks;
  held.bytes += std::min(*size, std::int64_t{1} << 50);
  return true;
}

bool BfcContent::add(std::string_view message) {
  if (message.empty()) return false;
  return add_bin(message) || add_size(message) || add_chunk(message);
}

void BfcContent::emit(const RowRef& dump, Sink& sink) const {
  for (const Bin& bin : bins_) {
    sink.add("allocator_bin", {{"dump_id", Value(dump)},
                               {"bin_bytes", Value(bin.size)},
                               {"chunks", optional_value(bin.chunks)},
                               {"chunks_in_use", optional_value(bin.chunks_in_use)},
                               {"allocated", optional_value(bin.allocated)},
                               {"in_use", optional_value(bin.in_use)},
                               {"requested", optional_value(bin.requested)}});
  }
  for (const auto& [size, held] : sizes_) {
    sink.add("allocator_size", {{"dump_id", Value(dump)},
                                {"chunk_bytes", Value(size)},
                                {"chunks", Value(held.chunks)},
                                {"bytes", Value(held.bytes)}});
  }
  std::vector<std::pair<std::string, Held>> top(ops_.begin(), ops_.end());
  std::stable_sort(top.begin(), top.end(),
                   [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  if (top.size() > kTopOps) top.resize(kTopOps);
  for (const auto& [op, held] : top) {
    sink.add("allocator_op", {{"dump_id", Value(dump)},
                              {"op", text_value(op)},
                              {"chunks", Value(held.chunks)},
                              {"bytes", Value(held.bytes)}});
  }
}

}  // namespace tfpm
