#include "ingest/chunk_reader.h"

#include <string.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tfpm {
namespace {

constexpr std::string_view kUtf8Bom = "\xef\xbb\xbf";
constexpr std::string_view kUtf16LeBom = "\xff\xfe";
constexpr std::string_view kUtf16BeBom = "\xfe\xff";

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

bool is_high_surrogate(std::uint32_t c) {
  return c >= 0xd800 && c < 0xdc00;
}

bool is_low_surrogate(std::uint32_t c) {
  return c >= 0xdc00 && c < 0xe000;
}

}  // namespace

Utf16 guess_utf16(std::string_view head) {
  if (head.starts_with(kUtf16LeBom)) return Utf16::kLittle;
  if (head.starts_with(kUtf16BeBom)) return Utf16::kBig;
  constexpr std::size_t kLooked = 4096;
  constexpr std::size_t kFewUnits = 8;
  head = head.substr(0, kLooked);
  std::array<std::size_t, 2> nuls{};  // on even and on odd places
  for (std::size_t i = 0; i < head.size(); ++i) nuls[i % 2] += head[i] == '\0' ? 1U : 0U;
  const std::size_t units = head.size() / 2;
  if (units < kFewUnits) return Utf16::kNo;
  if (nuls[0] == 0 && nuls[1] * 10 >= units * 8) return Utf16::kLittle;
  if (nuls[1] == 0 && nuls[0] * 10 >= units * 8) return Utf16::kBig;
  return Utf16::kNo;
}

std::uint64_t Chunk::source_offset(std::size_t position) const {
  if (anchors.empty()) return offset + position;
  const auto after =
      std::upper_bound(anchors.begin(), anchors.end(), position,
                       [](std::size_t p, const Anchor& anchor) { return p < anchor.position; });
  const Anchor& anchor = *(after - 1);
  return anchor.offset + 2 * (position - anchor.position);
}

void ChunkReader::fill(std::size_t want) {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() < want) buffer_.resize(want);
  while (!at_end_ && end_ < want) {
    const Result<std::size_t> n = in_.read({buffer_.data() + end_, want - end_});
    if (!n.ok()) status_ = n.status();
    if (!n.ok() || *n == 0) {
      at_end_ = true;
    } else {
      end_ += *n;
    }
  }
}

void ChunkReader::detect_encoding() {
  const std::string_view head(buffer_.data(), end_);
  encoding_ = Encoding::kBytes;
  std::size_t skip = 0;
  if (head.substr(0, 3) == kUtf8Bom) {
    skip = 3;
  } else if (const Utf16 order = guess_utf16(head); order != Utf16::kNo) {
    encoding_ = order == Utf16::kLittle ? Encoding::kUtf16Le : Encoding::kUtf16Be;
    skip = head.starts_with(kUtf16LeBom) || head.starts_with(kUtf16BeBom) ? 2 : 0;
  }
  begin_ += skip;
  offset_ += skip;
}

// Where the next chunk ends: behind the last line end of what is buffered; 0 = none there yet.
std::size_t ChunkReader::cut_position() {
  const char* data = buffer_.data() + begin_;
  const std::size_t size = end_ - begin_;
  if (encoding_ != Encoding::kBytes) {
    // Whole code units; a line end is two bytes on an even position.
    const std::size_t low = encoding_ == Encoding::kUtf16Le ? 0 : 1;
    for (std::size_t i = size & ~std::size_t{1}; i >= 2; i -= 2) {
      if (data[i - 2 + low] == '\n' && data[i - 1 - low] == '\0') return i;
    }
    return 0;
  }
  for (const int delimiter : {'\n', '\r'}) {
    const void* last = ::memrchr(data, delimiter, size);
    if (last != nullptr) return static_cast<std::size_t>(static_cast<const char*>(last) - data) + 1;
  }
  return 0;
}

bool ChunkReader::next(Chunk& chunk) {
  fill(kChunkBytes);
  if (encoding_ == Encoding::kUnknown) detect_encoding();
  std::size_t size = cut_position();
  if (size == 0 && !at_end_) {
    fill(kMaxLineBytes);
    size = cut_position();
  }
  if (begin_ == end_) return false;
  chunk.anchors.clear();
  chunk.ends_in_line = size == 0;
  if (size == 0) {
    size = end_ - begin_;
    if (!at_end_) ++cut_lines_;
  }
  const std::string_view raw(buffer_.data() + begin_, size);
  chunk.offset = offset_;
  if (encoding_ == Encoding::kBytes) {
    chunk.text = raw;
  } else {
    decode_utf16(chunk, raw);
  }
  begin_ += size;
  offset_ += size;
  return true;
}

void ChunkReader::decode_utf16(Chunk& chunk, std::string_view raw) {
  decoded_.clear();
  const std::size_t low = encoding_ == Encoding::kUtf16Le ? 0 : 1;
  const auto unit = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(raw[i + low])) |
           (static_cast<std::uint32_t>(static_cast<unsigned char>(raw[i + 1 - low])) << 8);
  };
  chunk.anchors.push_back({0, chunk.offset});
  for (std::size_t i = 0; i + 1 < raw.size(); i += 2) {
    std::uint32_t c = unit(i);
    if (is_high_surrogate(c) && i + 3 < raw.size() && is_low_surrogate(unit(i + 2))) {
      c = 0x10000 + ((c - 0xd800) << 10) + (unit(i + 2) - 0xdc00);
      i += 2;
    } else if (is_high_surrogate(c) || is_low_surrogate(c)) {
      c = 0xfffd;
    }
    append_utf8(decoded_, c);
    if (c == '\n') chunk.anchors.push_back({decoded_.size(), chunk.offset + i + 2});
  }
  chunk.text = decoded_;
}

}  // namespace tfpm
