#include <snappy.h>

#include <algorithm>

#include "support/bundle_writer.h"

namespace tfpm::test {
namespace {

std::uint32_t bitwise_crc(std::string_view bytes) {
  constexpr std::uint32_t kPolynomial = 0x82F63B78;
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
  }
  return ~crc;
}

std::string little_endian(std::uint64_t value, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) out += static_cast<char>((value >> (8 * i)) & 0xff);
  return out;
}

// One block under construction.
class Block {
 public:
  explicit Block(std::size_t restart_interval) : interval_(restart_interval) {}

  void add(const std::string& key, std::string_view value) {
    std::size_t shared = 0;
    if (count_ % interval_ == 0) {
      restarts_ += u32le(static_cast<std::uint32_t>(bytes_.size()));
    } else {
      const std::size_t limit = std::min(key.size(), last_.size());
      while (shared < limit && key[shared] == last_[shared]) ++shared;
    }
    bytes_ += varint(shared) + varint(key.size() - shared) + varint(value.size());
    bytes_ += key.substr(shared);
    bytes_ += value;
    last_ = key;
    ++count_;
  }
  std::string finish() const {
    const std::string restarts = restarts_.empty() ? u32le(0) : restarts_;
    return bytes_ + restarts + u32le(static_cast<std::uint32_t>(restarts.size() / 4));
  }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return count_ == 0; }
  const std::string& last_key() const { return last_; }

 private:
  std::size_t interval_;
  std::size_t count_ = 0;
  std::string bytes_;
  std::string restarts_;
  std::string last_;
};

// Appends a block with its trailer and returns its handle.
std::string emit(std::string& file, const std::string& content, bool snappy) {
  std::string stored = content;
  if (snappy) snappy::Compress(content.data(), content.size(), &stored);
  const std::string handle = varint(file.size()) + varint(stored.size());
  stored += snappy ? '\1' : '\0';
  file += stored + u32le(plain_masked_crc(stored));
  return handle;
}

}  // namespace

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
  return out + static_cast<char>(value);
}

std::string u32le(std::uint32_t value) {
  return little_endian(value, 4);
}

std::string u64le(std::uint64_t value) {
  return little_endian(value, 8);
}

std::uint32_t plain_masked_crc(std::string_view bytes) {
  const std::uint32_t crc = bitwise_crc(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xA282EAD8;
}

std::string write_table(const std::map<std::string, std::string>& entries,
                        const TableOptions& options) {
  std::string file;
  Block index(1);
  Block data(options.restart_interval);
  const auto close = [&] {
    if (data.empty()) return;
    const std::string key = data.last_key();
    index.add(key, emit(file, data.finish(), options.snappy));
    data = Block(options.restart_interval);
  };
  for (const auto& [key, value] : entries) {
    data.add(key, value);
    if (data.size() >= options.block_size) close();
  }
  close();
  std::string footer = emit(file, Block(1).finish(), false);
  footer += emit(file, index.finish(), options.snappy);
  footer.resize(40);
  return file + footer + "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
}

}  // namespace tfpm::test
