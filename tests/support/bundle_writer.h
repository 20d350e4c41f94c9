// Writes TensorFlow checkpoints for tests: sorted tables and tensor bundles, sound or, on request,
// not. Written from formats.md 1, independent of the readers it tests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tfpm::test {

std::string varint(std::uint64_t value);
std::string u32le(std::uint32_t value);
std::string u64le(std::uint64_t value);
// A protobuf field of wire type 0, 2 and 5.
std::string number_field(std::uint32_t field, std::uint64_t value);
std::string bytes_field(std::uint32_t field, std::string_view value);
std::string fixed32_field(std::uint32_t field, std::uint32_t value);

// A masked CRC-32C, bit by bit.
std::uint32_t plain_masked_crc(std::string_view bytes);

struct TableOptions {
  std::size_t block_size = 256 * 1024;
  std::size_t restart_interval = 16;
  bool snappy = false;
};
// A sorted table of `entries`.
std::string write_table(const std::map<std::string, std::string>& entries,
                        const TableOptions& options = {});

// "emb" + {{0,5},{0,-1}} as an index key.
struct Extent {
  std::int64_t start = 0;
  std::int64_t length = -1;
};
std::string slice_key(std::string_view tensor, const std::vector<Extent>& slice);

// Raw little-endian bytes of numbers.
std::string floats(const std::vector<float>& values);
std::string int64s(const std::vector<std::int64_t>& values);
// Stored form of a string tensor, and its masked checksum.
std::string string_payload(const std::vector<std::string>& values, std::uint32_t& masked_crc);

class BundleWriter {
 public:
  explicit BundleWriter(int shards = 1) : data_(static_cast<std::size_t>(shards)) {}

  // Appends the tensor's bytes to a shard and its entry to the index.
  void add(std::string_view name, int dtype, const std::vector<std::int64_t>& shape,
           std::string_view bytes, int shard = 0);
  void add_floats(std::string_view name, const std::vector<float>& values, int shard = 0);
  void add_scalar(std::string_view name, std::int64_t value, int shard = 0);
  void add_strings(std::string_view name, const std::vector<std::string>& values, int shard = 0);
  // A part of a partitioned float tensor of this whole shape; the whole's entry lists all parts.
  void add_slice(std::string_view name, const std::vector<std::int64_t>& whole,
                 const std::vector<Extent>& slice, const std::vector<float>& values, int shard = 0);
  // Any entry at all.
  void add_raw(std::string key, std::string value) { entries_[std::move(key)] = std::move(value); }

  std::string index(const TableOptions& options = {}) const;
  const std::string& shard(int number = 0) const { return data_[static_cast<std::size_t>(number)]; }
  std::string& shard(int number = 0) { return data_[static_cast<std::size_t>(number)]; }

 private:
  void add_entry(std::string key, int dtype, const std::vector<std::int64_t>& shape,
                 std::string_view bytes, std::uint32_t masked_crc, int shard);

  std::vector<std::string> data_;
  std::map<std::string, std::string> entries_;
  std::map<std::string, std::string> wholes_;  // partitioned tensors: entry without a place
};

}  // namespace tfpm::test
