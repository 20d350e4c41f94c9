#include "ingest/chunk_reader.h"

#include <string.h>

#include <algorithm>
#include <cstring>

namespace tfpm {
namespace {

constexpr std::string_view kUtf8Bom = "\xef\xbb\xbf";
constexpr std::string_view kUtf16LeBom = "\xff\xfe";
constexpr std::string_view kUtf16BeBom = "\xfe\xff";

}  // namespace

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
  for (const int delimiter : {0x0A, 0x0D}) {  // line feed before carriage return
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
  const Utf16 order = encoding_ == Encoding::kUtf16Le ? Utf16::kLittle : Utf16::kBig;
  chunk.anchors.push_back({0, chunk.offset});
  for (std::size_t i = 0; i + 1 < raw.size();) {
    const Utf16Char next = utf16_at(raw, i, order);
    i += next.bytes;
    append_utf8(decoded_, next.code);
    if (next.code == '\n') chunk.anchors.push_back({decoded_.size(), chunk.offset + i});
  }
  chunk.text = decoded_;
}

}  // namespace tfpm
