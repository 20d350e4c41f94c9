#include "support/keras_writer.h"

#include <cstdint>

#include "parsers/detail/lookup3.h"

namespace tfpm::test {
namespace {

constexpr std::size_t kRootAt = 96;

void put(std::string& out, std::size_t at, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i, value >>= 8) out[at + i] = static_cast<char>(value);
}

void append(std::string& out, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i, value >>= 8) out += static_cast<char>(value);
}

// CRC-32 of zip files, bit by bit.
std::uint32_t crc32_of(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0);
  }
  return ~crc;
}

// Fields that local header and directory entry share, from "version needed" to "name length".
std::string shared_fields(const std::string& name, const std::string& content) {
  std::string out;
  append(out, 20, 2);
  append(out, 0, 2);  // flags
  append(out, 0, 2);  // stored
  append(out, 0, 4);  // time
  append(out, crc32_of(content), 4);
  append(out, content.size(), 4);
  append(out, content.size(), 4);
  append(out, name.size(), 2);
  append(out, 0, 2);  // extra
  return out;
}

}  // namespace

std::string make_hdf5(int version, std::size_t size, bool open) {
  std::string out(size, '\0');
  out.replace(0, 8, "\x89HDF\r\n\x1a\n");
  out[8] = static_cast<char>(version);
  const bool old = version <= 1;
  const std::size_t shift = version == 1 ? 4 : 0;
  if (old) {
    out[13] = out[14] = 8;
    put(out, 32 + shift, ~std::uint64_t{0}, 8);
    put(out, 40 + shift, size, 8);
    put(out, 64 + shift, kRootAt, 8);
    out.replace(kRootAt, 2, std::string("\x01\0", 2));
    return out;
  }
  out[9] = out[10] = 8;
  out[11] = open ? 1 : 0;
  put(out, 20, ~std::uint64_t{0}, 8);
  put(out, 28, size, 8);
  put(out, 36, kRootAt, 8);
  put(out, 44, lookup3(out.substr(0, 44)), 4);
  out.replace(kRootAt, 4, "OHDR");
  return out;
}

std::string make_zip(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string out, directory;
  for (const auto& [name, content] : members) {
    const std::size_t at = out.size();
    const std::string shared = shared_fields(name, content);
    out += "PK\x03\x04" + shared + name + content;
    directory += "PK\x01\x02";
    append(directory, 20, 2);
    directory += shared;
    append(directory, 0, 10);  // comment, disk, attributes
    append(directory, 0, 2);
    append(directory, at, 4);
    directory += name;
  }
  const std::size_t at = out.size();
  out += directory + "PK\x05\x06";
  append(out, 0, 4);
  append(out, members.size(), 2);
  append(out, members.size(), 2);
  append(out, directory.size(), 4);
  append(out, at, 4);
  append(out, 0, 2);
  return out;
}

}  // namespace tfpm::test
