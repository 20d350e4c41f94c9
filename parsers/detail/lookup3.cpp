#include "parsers/detail/lookup3.h"

#include <bit>

namespace tfpm {
namespace {

// Three words of state; rotations are the published constants of the function.
struct State {
  std::uint32_t a, b, c;

  void mix() {
    a = (a - c) ^ std::rotl(c, 4);
    c += b;
    b = (b - a) ^ std::rotl(a, 6);
    a += c;
    c = (c - b) ^ std::rotl(b, 8);
    b += a;
    a = (a - c) ^ std::rotl(c, 16);
    c += b;
    b = (b - a) ^ std::rotl(a, 19);
    a += c;
    c = (c - b) ^ std::rotl(b, 4);
    b += a;
  }

  void finish() {
    c = (c ^ b) - std::rotl(b, 14);
    a = (a ^ c) - std::rotl(c, 11);
    b = (b ^ a) - std::rotl(a, 25);
    c = (c ^ b) - std::rotl(b, 16);
    a = (a ^ c) - std::rotl(c, 4);
    b = (b ^ a) - std::rotl(a, 14);
    c = (c ^ b) - std::rotl(b, 24);
  }
};

// Up to four bytes, little-endian; missing ones count as zero.
std::uint32_t word_at(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4 && at + i < bytes.size(); ++i) {
    out |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return out;
}

}  // namespace

std::uint32_t lookup3(std::string_view bytes) {
  constexpr std::size_t kBlock = 12;
  const std::uint32_t start = 0xdeadbeefU + static_cast<std::uint32_t>(bytes.size());
  State s{start, start, start};
  if (bytes.empty()) return s.c;
  while (true) {
    s.a += word_at(bytes, 0);
    s.b += word_at(bytes, 4);
    s.c += word_at(bytes, 8);
    if (bytes.size() <= kBlock) break;
    s.mix();
    bytes.remove_prefix(kBlock);
  }
  s.finish();
  return s.c;
}

}  // namespace tfpm
