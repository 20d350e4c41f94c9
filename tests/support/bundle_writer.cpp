#include "support/bundle_writer.h"

#include <cstring>

namespace tfpm::test {
namespace {

constexpr int kFloat = 1;
constexpr int kString = 7;
constexpr int kInt64 = 9;

std::string shape_field(const std::vector<std::int64_t>& shape) {
  std::string dims;
  for (const std::int64_t size : shape) {
    dims += bytes_field(2, size == 0 ? "" : number_field(1, static_cast<std::uint64_t>(size)));
  }
  return bytes_field(2, dims);
}

// num(v) of OrderedCode.
std::string ordered_number(std::uint64_t value) {
  std::string bytes;
  for (; value > 0; value >>= 8) bytes.insert(bytes.begin(), static_cast<char>(value & 0xff));
  return static_cast<char>(bytes.size()) + bytes;
}

// snum(v) of OrderedCode for values of one or two bytes.
std::string ordered_signed(std::int64_t value) {
  if (value >= -64 && value < 64) return {static_cast<char>(static_cast<unsigned>(value) ^ 0x80u)};
  const auto wide = static_cast<unsigned>(value) ^ 0xc000u;
  return {static_cast<char>((wide >> 8) & 0xff), static_cast<char>(wide & 0xff)};
}

}  // namespace

std::string number_field(std::uint32_t field, std::uint64_t value) {
  return varint(field << 3) + varint(value);
}

std::string bytes_field(std::uint32_t field, std::string_view value) {
  return varint((field << 3) | 2) + varint(value.size()) + std::string(value);
}

std::string fixed32_field(std::uint32_t field, std::uint32_t value) {
  return varint((field << 3) | 5) + u32le(value);
}

std::string slice_key(std::string_view tensor, const std::vector<Extent>& slice) {
  std::string out = ordered_number(0) + std::string(tensor) + std::string("\0\1", 2);
  out += ordered_number(slice.size());
  for (const Extent& extent : slice) {
    out += ordered_signed(extent.start) + ordered_signed(extent.length);
  }
  return out;
}

std::string floats(const std::vector<float>& values) {
  std::string out(values.size() * sizeof(float), '\0');
  if (!values.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

std::string int64s(const std::vector<std::int64_t>& values) {
  std::string out;
  for (const std::int64_t value : values) out += u64le(static_cast<std::uint64_t>(value));
  return out;
}

std::string string_payload(const std::vector<std::string>& values, std::uint32_t& masked_crc) {
  std::string stored;
  std::string summed;
  for (const std::string& value : values) {
    stored += varint(value.size());
    summed += u32le(static_cast<std::uint32_t>(value.size()));
  }
  const std::string lengths_crc = u32le(plain_masked_crc(summed));
  stored += lengths_crc;
  summed += lengths_crc;
  for (const std::string& value : values) {
    stored += value;
    summed += value;
  }
  masked_crc = plain_masked_crc(summed);
  return stored;
}

void BundleWriter::add_entry(std::string key, int dtype, const std::vector<std::int64_t>& shape,
                             std::string_view bytes, std::uint32_t masked_crc, int shard) {
  std::string& data = data_[static_cast<std::size_t>(shard)];
  std::string value = number_field(1, static_cast<std::uint64_t>(dtype)) + shape_field(shape);
  if (shard > 0) value += number_field(3, static_cast<std::uint64_t>(shard));
  if (!data.empty()) value += number_field(4, data.size());
  if (!bytes.empty()) value += number_field(5, bytes.size());
  value += fixed32_field(6, masked_crc);
  data += bytes;
  entries_[std::move(key)] = value;
}

void BundleWriter::add(std::string_view name, int dtype, const std::vector<std::int64_t>& shape,
                       std::string_view bytes, int shard) {
  add_entry(std::string(name), dtype, shape, bytes, plain_masked_crc(bytes), shard);
}

void BundleWriter::add_floats(std::string_view name, const std::vector<float>& values, int shard) {
  add(name, kFloat, {static_cast<std::int64_t>(values.size())}, floats(values), shard);
}

void BundleWriter::add_scalar(std::string_view name, std::int64_t value, int shard) {
  add(name, kInt64, {}, int64s({value}), shard);
}

void BundleWriter::add_strings(std::string_view name, const std::vector<std::string>& values,
                               int shard) {
  std::uint32_t crc = 0;
  const std::string bytes = string_payload(values, crc);
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(values.size())};
  add_entry(std::string(name), kString, shape, bytes, crc, shard);
}

void BundleWriter::add_slice(std::string_view name, const std::vector<std::int64_t>& whole,
                             const std::vector<Extent>& slice, const std::vector<float>& values,
                             int shard) {
  std::vector<std::int64_t> shape = whole;
  std::string proto;
  for (std::size_t i = 0; i < slice.size(); ++i) {
    std::string extent;
    if (slice[i].length >= 0) {
      shape[i] = slice[i].length;
      extent = number_field(1, static_cast<std::uint64_t>(slice[i].start)) +
               number_field(2, static_cast<std::uint64_t>(slice[i].length));
    }
    proto += bytes_field(1, extent);
  }
  const std::string bytes = floats(values);
  add_entry(slice_key(name, slice), kFloat, shape, bytes, plain_masked_crc(bytes), shard);
  std::string& entry = wholes_[std::string(name)];
  if (entry.empty()) entry = number_field(1, kFloat) + shape_field(whole);
  entry += bytes_field(7, proto);
}

std::string BundleWriter::index(const TableOptions& options) const {
  std::map<std::string, std::string> all = entries_;
  all.insert(wholes_.begin(), wholes_.end());
  if (all.count("") == 0) {
    all[""] = number_field(1, data_.size()) + bytes_field(3, number_field(1, 1));
  }
  return write_table(all, options);
}

}  // namespace tfpm::test
